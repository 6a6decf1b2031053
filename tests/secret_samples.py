"""Credentials that nobody has: made from a seed when a test runs, so no scanner trips over them.

Each case is a name, a piece of a file that holds the credential, and what must not be seen of it.
"""

from __future__ import annotations

import base64
import random
import string
from pathlib import Path
from typing import NamedTuple

LETTERS = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + "234567"
HEX = string.digits + "abcdef"
BASE64 = LETTERS + "+/"
FORMS = Path(__file__).parent / "data" / "secrets" / "forms.txt"


class Planted(NamedTuple):
    name: str
    text: str
    secrets: tuple[str, ...]


def fake(alphabet: str, length: int, seed: str) -> str:
    """Return the same random text in every run."""
    return "".join(random.Random(f"{seed} {length}").choices(alphabet, k=length))


def encoded(length: int, seed: str) -> str:
    return base64.b64encode(random.Random(seed).randbytes(length)).decode()


def pem(kind: str, seed: str, length: int = 600) -> tuple[str, tuple[str, ...]]:
    body = encoded(length, seed)
    lines = tuple(body[n : n + 64] for n in range(0, len(body), 64))
    name = "PRIVATE" + " KEY"
    whole = (f"-----BEGIN {kind}{name}-----", *lines, f"-----END {kind}{name}-----")
    return "\n".join(whole) + "\n", lines


def planted() -> list[Planted]:
    """Return every planted credential."""
    made: list[Planted] = []

    def plant(name: str, text: str, *secrets: str) -> None:
        assert all(secret in text for secret in secrets), name
        made.append(Planted(name, text, secrets))

    def token(name: str, prefix: str, alphabet: str, length: int, form: str) -> None:
        secret = prefix + fake(alphabet, length, name)
        plant(name, form.replace("@", secret, 1), secret)

    aws = "AK" + "IA" + fake(UPPER, 16, "aws")
    aws_secret = fake(BASE64, 40, "aws secret")
    plant("aws pair in code", f's3 = client("s3", "{aws}", "{aws_secret}")\n', aws, aws_secret)
    plant(
        "aws credentials file",
        f"[default]\naws_access_key_id = {aws}\naws_secret_access_key = {aws_secret}\n",
        aws,
        aws_secret,
    )
    plant("aws secret in yaml", f"  secretAccessKey: {aws_secret}\n", aws_secret)
    token("github classic", "gh" + "p_", LETTERS, 36, 'g = Github("@")\n')
    token("github app", "gh" + "s_", LETTERS, 36, "// then use @ for the clone\n")
    token("github fine-grained", "github" + "_pat_", LETTERS, 82, "const octokit = make('@')\n")
    token("github in a url", "gh" + "o_", LETTERS, 36, "git clone https://x:@@github.com/a/b\n")
    token("gitlab", "gl" + "pat-", LETTERS + "_-", 20, 'let gl = "@";\n')
    token("slack bot", "xo" + "xb-", string.digits, 12, 'slack = "@-482-a8Fq2LmZ"\n')
    hook = f"T{fake(UPPER, 8, 't')}/B{fake(UPPER, 8, 'b')}/{fake(LETTERS, 24, 'hook')}"
    plant("slack hook", f'POST = "https://hooks.slack.com/services/{hook}"\n', hook)
    token("stripe", "sk_" + "live_", LETTERS, 24, 'Stripe::charge("@");\n')
    token("stripe hook", "wh" + "sec_", LETTERS, 32, 'verify(body, "@")\n')
    token("google", "AI" + "za", LETTERS + "_-", 35, '<script src="https://maps/js?v=3&k=@">\n')
    token("openai", "s" + "k-", LETTERS, 48, 'llm = Client("@")\n')
    token("openai project", "s" + "k-proj-", LETTERS + "_-", 120, 'llm = Client("@")\n')
    token("anthropic", "s" + "k-ant-api03-", LETTERS + "_-", 95, "llm := New(`@`)\n")
    token("npm", "np" + "m_", LETTERS, 36, "run: npm publish --otp 1 @\n")
    token("npmrc", "", HEX, 36, "//registry.example.com/:_authToken=@\n")
    token("pypi", "py" + "pi-AgEIcHlwaS5vcmc", LETTERS + "_-", 150, "[pypi]\n  password = @\n")
    sid, auth = "A" + "C" + fake(HEX, 32, "sid"), fake(HEX, 32, "twilio")
    plant("twilio", f'twilio.NewClient("{sid}", "{auth}")\n', sid, auth)
    sendgrid = f"S{'G'}.{fake(LETTERS + '_-', 22, 'sg')}.{fake(LETTERS + '_-', 43, 'sg2')}"
    plant("sendgrid", f"mail = SendGrid('{sendgrid}')\n", sendgrid)
    token("hugging face", "h" + "f_", LETTERS, 34, 'login("@")\n')
    token("digitalocean", "do" + "p_v1_", HEX, 64, 'provider "x" { t = "@" }\n')
    token("shopify", "sh" + "pat_", HEX, 32, "shop('@')\n")
    token("vault", "hv" + "s.", LETTERS, 24, 'vault.login("@")\n')
    header = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    claims = base64.urlsafe_b64encode(b'{"sub":"42","name":"a b","iat":7}').decode().rstrip("=")
    jwt = f"{header}.{claims}.{fake(LETTERS + '_-', 43, 'jwt')}"
    plant("json web token", f"const session = '{jwt}'\n", jwt)
    plant("cookie", f'curl --cookie "s={jwt}" host\n', jwt)
    telegram = f"{fake('123456789', 9, 'bot')}:A{'A'}{fake(LETTERS, 33, 'telegram')}"
    plant("telegram", f'bot = Bot("{telegram}")\n', telegram)

    for kind in ("RSA ", "", "EC ", "OPENSSH ", "ENCRYPTED "):
        text, lines = pem(kind, f"pem {kind}")
        plant(f"pem {kind}", text, *lines)
    text, lines = pem("RSA ", "pem in code")
    concatenated = " +\n".join(f'    "{line}\\n"' for line in text.splitlines())
    plant("pem in strings", f"var key =\n{concatenated};\n", *lines)
    plant("pem in a python string", f'KEY = """{text}"""\n', *lines)
    escaped = text.replace("\n", "\\n")
    plant("pem in json", f'{{\n  "private_key": "{escaped}",\n  "id": 1\n}}\n', *lines)
    plant("pem in yaml", "key: |\n" + "".join(f"  {s}\n" for s in text.splitlines()), *lines)

    for kind in ("RSA ", "", "EC ", "OPENSSH "):
        inside = base64.b64encode(pem(kind, f"base64 {kind}")[0].encode()).decode()
        plant(f"pem {kind}in base64", f"  tls: {inside}\n", inside)
    # Strings that a program joins.
    long = "gh" + "p_" + fake(LETTERS, 36, "pieces")
    for name, form in {
        "adjacent strings": 'run("{}"\n    "{}")\n',
        "added strings": 'run("{}" + "{}")\n',
        "strings joined by a point": "run('{}' . '{}');\n",
        "strings over a line's end": "run('{}' \\\n    '{}')\n",
    }.items():
        plant(name, form.format(long[:14], long[14:]), long[:14], long[14:])
    pieces = tuple(jwt[n : n + 40] for n in range(0, len(jwt) - 8, 40))
    plant("token of many strings", "use(" + "\n    ".join(map(repr, pieces)) + ")\n", *pieces)
    half = fake(HEX, 10, "half"), fake(HEX, 10, "other half")
    plant("short pieces", f'const token = "{half[0]}" +\n  "{half[1]}";\n', *half)

    word = fake(LETTERS + "!#%*", 14, "word") + "7"
    base = fake(LETTERS, 15, "base") + "3"
    for name, form in {
        "url of a database": "DATABASE = 'postgres://app:@@db.internal:5432/shop'\n",
        "url of a queue": "broker: amqp://worker:@@mq:5672//\n",
        "url without a user": 'cache = Redis.from_url("redis://:@@cache:6379/0")\n',
        "netrc": "machine git.example.com\n  login ci\n  password @\n",
        "netrc on one line": "machine git.example.com login ci password @\n",
        "ado connection string": 'cs = "Server=db;User Id=sa;Password=@;Encrypt=true";\n',
        "odbc connection string": "conn = connect('DRIVER=x;UID=app;PWD=@')\n",
        "curl option": "curl -u admin:@ https://host/api\n",
        "command option": "mysqldump --password=@ shop > dump.sql\n",
        "command option and blank": "twine upload --username me --password @ dist/*\n",
        "tuple": 'requests.get(url, auth=("admin", "@"))\n',
        "java": 'private static final String PASSWORD = "@";\n',
        "go": 'password := "@"\n',
        "go constant": 'const dbPassword string = "@"\n',
        "rust": 'const PASSWORD: &str = "@";\n',
        "php": "define('DB_PASSWORD', '@');\n",
        "php array": "'password' => '@',\n",
        "javascript": "mysql.createConnection({ user: 'a', password: '@' })\n",
        "typescript": "const password: string = '@'\n",
        "ruby": 'password: "@",\n',
        "csharp": 'options.Password = "@";\n',
        "kotlin": 'val dbPassword: String = "@"\n',
        "c": 'static const char password[] = "@";\n',
        "c macro": '#define WIFI_PASSWORD "@"\n',
        "python default": 'p = os.environ.get("DB_PASSWORD", "@")\n',
        "python or": 'password = os.getenv("PW") or "@"\n',
        "keyword argument": "connect(host, password='@')\n",
        "comparison": 'if password == "@":\n    pass\n',
        "setter": 'dataSource.setPassword("@");\n',
        "comment": "# the admin's password: @\n",
        "environment": "export SMTP_PASS=@\n",
        "compose": "    environment:\n      POSTGRES_PASSWORD: @\n",
        "properties": "spring.datasource.password=@\n",
        "ini": "[client]\npassword = @\n",
        "dockerfile": "ENV ADMIN_PASSWORD @\n",
        "xml": "<server><password>@</password></server>\n",
        "xml attribute": '<add key="DbPassword" value="@" />\n',
        "json": '{"user": "a", "password": "@"}\n',
        "json in a string": 'body = "{\\"password\\":\\"@\\"}"\n',
        "sql": "CREATE USER app WITH PASSWORD '@';\n",
        "client of a database": "mysql -u root -p@ shop < dump.sql\n",
        "sshpass": "sshpass -p '@' ssh host\n",
        "grant": "GRANT ALL ON *.* TO app IDENTIFIED BY '@'\n",
        "default in a shell": "PASS=${DB_PASSWORD:-@}\n",
        "default in spring": 'Value("${db.password:@}")\n',
        "kubernetes": "  - name: DB_PASSWORD\n    value: @\n",
        "json pair": '{"name": "DB_PASSWORD", "value": "@"}\n',
        "xml element with an attribute": '<password type="plain">@</password>\n',
        "next line": "const PASSWORD =\n  '@';\n",
    }.items():
        secret = base if "@@" in form else word
        plant(name, form.replace("@", secret, 1), secret)

    key = fake(HEX, 32, "key")
    for name, form in {
        "api key in yaml": "API_KEY: '@'\n",
        "api key in json": '"apiKey": "@",\n',
        "api key header": 'curl -H "X-Api-Key: @" host\n',
        "bearer header": 'headers = {"Authorization": "Bearer @"}\n',
        "bearer in pieces": 'h.Set("Authorization", "Bearer " + "@")\n',
        "token header": "Authorization: Token @\n",
        "client secret": 'client_secret = "@"\n',
        "access token in a url": 'get("https://api.host/v1?access_token=@&page=2")\n',
        "django": "SECRET_KEY = 'django-insecure-@'\n",
        "rails": "  secret_key_base: @\n",
        "environment by item": 'os.environ["SERVICE_TOKEN"] = "@"\n',
        "terraform": 'variable "x" {\n  auth_token = "@"\n}\n',
    }.items():
        plant(name, form.replace("@", key, 1), key)

    # Other ways in which people write it, with `¤` for the secret; collected when the rules stood.
    for number, form in enumerate(FORMS.read_text(encoding="utf-8").splitlines()):
        secret = fake(HEX, 20, form)
        form = form.replace("¤", secret).replace("\\n", "\n")
        plant(f"form {number}: {form[:20]}", f"{form}\n", secret)

    account = encoded(64, "azure")
    plant(
        "azure storage",
        f'"DefaultEndpointsProtocol=https;AccountName=a;AccountKey={account};Endpoint=x"\n',
        account,
    )
    bus = encoded(32, "bus")
    plant("azure bus", f"Endpoint=sb://a/;SharedAccessKeyName=Root;SharedAccessKey={bus}\n", bus)
    azure = f"a1B8Q{'~'}{fake(LETTERS + '.-', 34, 'azure')}"
    plant("azure application", f'login("tenant", "{azure}")\n', azure)
    pair = base64.b64encode(f"ci:{base}".encode()).decode()
    plant("basic header", f'curl -H "Authorization: Basic {pair}" host\n', pair)
    plant("docker", f'{{"auths": {{"ghcr.io": {{"auth": "{pair}"}}}}}}\n', pair)
    plant("weak", 'db_password = "hunter2"\n', "hunter2")
    plant("leet", 'password = "P@ssw0rd!23"\n', "P@ssw0rd!23")
    plant("phrase", 'passphrase = "correct horse battery staple"\n', "correct horse battery")
    plant("one word", "password: 'correcthorsebatterystaple'\n", "correcthorse")
    return made
