# ruff: noqa: E501
"""Workspaces, and places in them where a member is wanted: by hand, with the type it is of."""

from __future__ import annotations

__all__ = ["CASES", "IMPORTS", "WORKSPACES"]

FILES = {
    "shop/models.py": '''
from __future__ import annotations
from dataclasses import dataclass
from django.db import models

class Timed(models.Model):
    created_at: datetime

    def touch(self) -> None:
        self.created_at = now()

class Customer(Timed):
    email = models.EmailField()

    def greet(self) -> str: ...

class Order(Timed):
    """One order."""
    number: str
    total = models.DecimalField(max_digits=9)
    customer: Customer
    lines: list[Line]
    objects = models.Manager()

    def ship(self, when: date | None = None) -> bool:
        return True

    @property
    def first_line(self) -> Line:
        return self.lines[0]

    async def refund(self) -> Receipt: ...

@dataclass
class Line:
    product: str
    amount: int = 1

    def price(self) -> Decimal: ...

class Receipt:
    url: str

    def download(self) -> bytes: ...

class Color(Enum):
    RED = 1

def latest_order(customer: Customer) -> Order | None: ...
''',
    "shop/__init__.py": "from shop.models import Order as Purchase\n",
    "shop/repo.py": """
from typing import Generic, TypeVar
from shop.models import Order, Customer

T = TypeVar("T")

class Repo(Generic[T]):
    def find(self, key: int) -> T: ...
    def all(self) -> list[T]: ...

class OrderRepo(Repo[Order]):
    def open_orders(self) -> list[Order]: ...

class Session:
    def __enter__(self) -> "Session": ...
    def commit(self) -> None: ...

class Service:
    def __init__(self, repo: OrderRepo, customer: Customer) -> None:
        self.repo = repo
        self.current = customer

    async def load(self, key: int) -> Order: ...
""",
}


IMPORTS = """from shop import Purchase, models
import shop.models as m
from shop.models import Order, Customer, Line, latest_order
from shop.repo import OrderRepo, Repo, Session, Service
from typing import Optional

"""
PYTHON = {
    "a view": (
        "def view(request, pk):\n    order = Order.objects.get(pk=pk)\n    order.|\n\n"
        "def other(): ...\n",
        "Order",
    ),
    "a query": ("def f():\n    for order in Order.objects.filter(a=1):\n        order.|", "Order"),
    "a query's first": (
        "order = Order.objects.filter(a=1).order_by('x').first()\norder.|",
        "Order",
    ),
    "got or made": ("order, made = Order.objects.get_or_create(pk=1)\norder.|", "Order"),
    "a shortcut": (
        "def f(pk):\n    order = get_object_or_404(Order, pk=pk)\n    return order.|",
        "Order",
    ),
    "a session": ("order = session.query(Order).filter(a).first()\norder.|", "Order"),
    "a parameter": (
        "def f(order: Order, n=1):\n    if n:\n        print(order.|)\n    return 1",
        "Order",
    ),
    "an optional": ("def f(order: Optional[Order] = None):\n    order.|", "Order"),
    "a union": ("def f(order: 'Order ‖ None'):\n    order.shi|", "Order"),
    "a list": ("def f(orders: list[Order]):\n    for order in orders:\n        order.|", "Order"),
    "an element": ("def f(orders: dict[str, Order]):\n    orders['a'].|", "Order"),
    "items": (
        "def f(o: dict[str, Order]):\n    for key, order in o.items():\n        order.|",
        "Order",
    ),
    "counted": (
        "def f(o: list[Order]):\n    for n, order in enumerate(o):\n        order.|",
        "Order",
    ),
    "a comprehension": ("def f(o: list[Order]):\n    return [x for x in o if x.|]", "Order"),
    "a call": ("def f(c):\n    order = latest_order(c)\n    order.|", "Order"),
    "a constructor": ("line = Line('a')\nline.|", "Line"),
    "a chain": ("def f(order: Order):\n    order.customer.|", "Customer"),
    "a chain's element": ("def f(order: Order):\n    order.lines[0].|", "Line"),
    "a property": ("def f(order: Order):\n    order.first_line.|", "Line"),
    "awaited": ("async def f(order: Order):\n    r = await order.refund()\n    r.|", "Receipt"),
    "awaited in brackets": ("async def f(s: Service):\n    (await s.load(1)).|", "Order"),
    "a context": ("def f():\n    with Session() as session:\n        session.|", "Session"),
    "self": ("class A(Order):\n    def f(self):\n        self.|\n\n    def g(self): ...", "A"),
    "self's field": (
        "class A:\n    def __init__(self, order: Order):\n        self.order = order\n\n"
        "    def f(self):\n        self.order.|\n",
        "Order",
    ),
    "super": ("class A(Order):\n    def ship(self):\n        super().|", "Order"),
    "another's parameter": ("def f(s: Service):\n    s.repo.|", "OrderRepo"),
    "a type parameter": ("def f(repo: Repo[Order]):\n    repo.find(1).|", "Order"),
    "an inherited one": ("def f(repo: OrderRepo):\n    x = repo.find(1)\n    x.|", "Order"),
    "an inherited list": ("def f(r: OrderRepo):\n    for x in r.all():\n        x.|", "Order"),
    "the nearest": ("def f(x: Order):\n    x = Line()\n    x.|\n    x = Customer()", "Line"),
    "shadowed": ("def f(x: Order):\n    def g(x):\n        x.|", ""),
    "shadowed by a type": ("def f(x: Order):\n    def g(x: Line):\n        x.|", "Line"),
    "another function's": ("def f():\n    x = Order()\n\ndef g():\n    x.|", ""),
    "outside": ("x = Order()\n\ndef g():\n    x.|", "Order"),
    "from itself": ("def f(x: Order):\n    x = x.customer.|", "Customer"),
    "a class": ("Order.|", "Order"),
    "a walrus": ("def f(c):\n    if order := latest_order(c):\n        order.|", "Order"),
    "lines of a chain": ("x = (Order.objects\n    .filter(a=1)\n    .first()\n    .|", "Order"),
    "an open call": ("def f(order: Order):\n    print(order.|\n\ndef g(): ...", "Order"),
    "another name": ("def f(p: Purchase):\n    p.|", "Order"),
    "a module": ("def f(p: models.Line):\n    p.|", "Line"),
    "a module's class": ("p = m.Line()\np.|", "Line"),
    "unknown": ("def f(x):\n    x.|", ""),
    "a library's": ("from other import Order\ndef f(x: Order):\n    x.|", ""),
    "a number": ("x = 1.|", ""),
    "a comment": ("def f(x: Order):\n    # x.|", ""),
    "a string": ("def f(x: Order):\n    y = 'x.|'", ""),
    "a lambda": ("f = lambda order: order.|", ""),
    "cast": ("from typing import cast\nx = cast(Order, y)\nx.|", "Order"),
}


TYPESCRIPT_HEAD = """import { Order, Customer as Buyer, loadOrder } from "./models";
import * as models from "./models";
import { OrderRepo, Repo } from "./repo";

"""
TYPESCRIPT_FILES = {
    "src/models.ts": """
export class Entity { id: string; touch(): void {} }
export interface Customer { email: string; greet(): string; orders: Order[] }
export class Order extends Entity {
  private secret = 1;
  number: string;
  customer: Customer;
  lines: Line[] = [];
  byKey: Map<string, Line>;
  get first(): Line { return this.lines[0]; }
  async refund(reason: string): Promise<Receipt> { return x; }
  static parse(text: string): Order { return new Order(); }
  withCustomer(c: Customer): this { return this; }
}
export interface Line { product: string; amount: number }
export type Receipt = { url: string; download(): Blob };
export enum Color { Red, Green }
export async function loadOrder(id: string): Promise<Order> { return x; }
""",
    "src/repo.ts": """
import { Order } from "./models";
export class Repo<T> { find(id: string): Promise<T | null> {} all(): T[] {} }
export class OrderRepo extends Repo<Order> { open(): Order[] {} }
""",
    "src/app.ts": TYPESCRIPT_HEAD,
    "src/app.tsx": TYPESCRIPT_HEAD,
}
TYPESCRIPT = {
    "a parameter": ("function f(order: Order) {\n  order.|\n}\n", "Order"),
    "an optional one": ("function f(order?: Order) {\n  return order?.|\n}\n", "Order"),
    "a constructor": ("const order = new Order();\norder.|\n", "Order"),
    "awaited": (
        "async function f() {\n  const order = await loadOrder('1');\n  order.|\n}",
        "Order",
    ),
    "then": ("loadOrder('1').then((order) => {\n  order.|\n});\n", "Order"),
    "a promise itself": ("const order = loadOrder('1');\norder.|\n", ""),
    "a loop": ("function f(xs: Order[]) {\n  for (const x of xs) {\n    x.|\n  }\n}\n", "Order"),
    "a generic container": ("function f(xs: ReadonlyArray<Order>) {\n  xs[0].|\n}\n", "Order"),
    "a callback": ("function f(xs: Order[]) {\n  xs.filter((x) => x.|);\n}\n", "Order"),
    "a bare callback": (
        "function f(xs: Order[]) {\n  xs.map(x => x.lines).filter(x => x.|)\n}",
        "",
    ),
    "a chain": ("function f(order: Order) {\n  order.customer.|\n}\n", "Customer"),
    "an element": ("function f(order: Order) {\n  order.lines[0].|\n}\n", "Line"),
    "of a map": ("function f(order: Order) {\n  order.byKey.get('a')?.|\n}\n", "Line"),
    "a property": ("function f(order: Order) {\n  order.first.|\n}\n", "Line"),
    "another name": ("function f(buyer: Buyer) {\n  buyer.|\n}\n", "Customer"),
    "this": ("class A extends Order {\n  f() {\n    this.|\n  }\n  g() {}\n}\n", "A"),
    "this's field": (
        "class A {\n  constructor(private repo: OrderRepo) {}\n  f() {\n    this.repo.|\n  }\n}\n",
        "OrderRepo",
    ),
    "super": ("class A extends Order {\n  f() {\n    super.|\n  }\n}\n", "Order"),
    "a type parameter": (
        "async function f(repo: Repo<Order>) {\n  const x = await repo.find('1');\n  x.|\n}\n",
        "Order",
    ),
    "an inherited one": ("function f(r: OrderRepo) {\n  for (const x of r.all()) x.|\n}", "Order"),
    "itself": ("function f(order: Order) {\n  order.withCustomer(c).|\n}\n", "Order"),
    "static": ("const order = Order.parse('');\norder.|\n", "Order"),
    "a module": ("function f(line: models.Line) {\n  line.|\n}\n", "Line"),
    "cast": ("const order = (x as Order).|\n", "Order"),
    "cast before": ("const order = x as unknown as Order;\norder.|\n", ""),
    "a part": ("function f({ customer }: Order) {\n  customer.|\n}\n", "Customer"),
    "a part of a value": ("const { customer } = await loadOrder('1');\ncustomer.|\n", "Customer"),
    "state": ("const [order, setOrder] = useState<Order>(null);\norder.|\n", "Order"),
    "a union": ("let order: Order ‖ null = null;\norder!.|\n", "Order"),
    "an alias": ("async function f(o: Order) {\n  (await o.refund('')).|\n}", "Receipt"),
    "an enum": ("models.Color.|\n", "Color"),
    "shadowed": ("function f(x: Order) {\n  function g(x) {\n    x.|\n  }\n}\n", ""),
    "the inner one": ("const x = new Order();\n{\n  const x = 1;\n}\nx.|\n", "Order"),
    "after a caught one": (
        "function f(x: Order) {\n  try { g(); } catch (x) { h(x); }\n  x.|\n}\n",
        "Order",
    ),
}
JAVASCRIPT = {
    "a constructor": ("const order = new Order();\norder.|\n", "Order"),
    "a field": (
        "class A {\n  constructor() { this.order = new Order(); }\n  f() { this.order.| }\n}\n",
        "Order",
    ),
    "a model": (
        "async function f() {\n  const o = await Order.findOne({ id: 1 });\n  o.|\n}\n",
        "Order",
    ),
    "models": (
        "async function f() {\n  const os = await Order.findAll();\n  os.map((o) => o.|);\n}\n",
        "Order",
    ),
    "unknown": ("function f(order) {\n  order.|\n}\n", ""),
}
GO_HEAD = """package web

import (
	"context"

	"example.com/shop/models"
)

"""
GO_FILES = {
    "go.mod": "module example.com/shop\n\ngo 1.22\n",
    "models/order.go": """package models

type Base struct{ ID int }

// Order is one order.
type Order struct {
	Base
	Number string
	Lines  []*Line
	Buyer  *Customer
	byKey  map[string]*Line
}

type Line struct{ Product string }

func NewOrder(number string) *Order { return nil }
func Find(id int) (*Order, error) { return nil, nil }
func Load() map[string]*Order { return nil }
""",
    "models/more.go": """package models

type Customer struct{ Email string }

func (o *Order) Ship(when string) error { return nil }
func (o *Order) First() *Line { return o.Lines[0] }
""",
    "web/repo.go": "package web\n\ntype Repo interface {\n\tGet(id int) (*models.Order, error)\n}\n",
    "web/app.go": GO_HEAD,
}
GO = {
    "a parameter": ("func f(order *models.Order) {\n\torder.|\n}\n", "Order"),
    "made": ("func f() {\n\torder := models.NewOrder(1)\n\torder.|\n}\n", "Order"),
    "a pair": ("func f() {\n\torder, err := models.Find(1)\n\torder.|\n\t_ = err\n}\n", "Order"),
    "a literal": ("func f() {\n\torder := &models.Order{Number: 1}\n\torder.|\n}\n", "Order"),
    "new": ("func f() {\n\torder := new(models.Order)\n\torder.|\n}\n", "Order"),
    "declared": ("func f() {\n\tvar order models.Order\n\torder.|\n}\n", "Order"),
    "a loop": (
        "func f(xs []*models.Order) {\n\tfor _, x := range xs {\n\t\tx.|\n\t}\n}\n",
        "Order",
    ),
    "a map's loop": ("func f() {\n\tfor _, x := range models.Load() {\n\t\tx.|\n\t}\n}\n", "Order"),
    "a map's entry": (
        "func f() {\n\tif x, ok := models.Load()[k]; ok {\n\t\tx.|\n\t}\n}\n",
        "Order",
    ),
    "a chain": ("func f(order *models.Order) {\n\torder.Buyer.|\n}\n", "Customer"),
    "an element": ("func f(order *models.Order) {\n\torder.Lines[0].|\n}\n", "Line"),
    "a method": ("func f(order *models.Order) {\n\torder.First().|\n}\n", "Line"),
    "a receiver": ("type A struct{ repo Repo }\n\nfunc (a *A) f() {\n\ta.repo.|\n}\n", "Repo"),
    "an interface": ("func f(r Repo) {\n\to, _ := r.Get(1)\n\to.|\n}\n", "Order"),
    "asserted": ("func f(x any) {\n\tx.(*models.Order).|\n}\n", "Order"),
    "many": ("func f(xs ...*models.Order) {\n\txs[0].|\n}\n", "Order"),
    "a closure's": ("func f(x *models.Order) {\n\tg(func(x int) {\n\t\tx.|\n\t})\n}\n", ""),
}
JAVA_HEAD = "package web;\n\nimport shop.Order;\nimport shop.Line;\nimport java.util.*;\n\n"
JAVA_FILES = {
    "src/shop/Entity.java": "package shop;\npublic class Entity {\n  private long id;\n  public long getId() { return id; }\n}\n",
    "src/shop/Order.java": (
        "package shop;\nimport java.util.List;\npublic class Order extends Entity {\n"
        "  private List<Line> lines;\n  public String number;\n  public Order(String n) {}\n"
        "  public List<Line> getLines() { return lines; }\n"
        "  public Optional<Line> findLine(int n) { return null; }\n"
        "  public static Order of(String n) { return new Order(n); }\n}\n"
    ),
    "src/shop/Line.java": "package shop;\npublic record Line(String product, int amount) {\n  public int total() { return 1; }\n}\n",
    "src/web/OrderRepository.java": (
        "package web;\nimport shop.Order;\n"
        "public interface OrderRepository extends CrudRepository<Order, Long> {\n"
        "  List<Order> findByNumber(String number);\n}\n"
    ),
    "src/web/App.java": JAVA_HEAD + "class App {\n  OrderRepository repo;\n}\n",
}
JAVA = {
    "a parameter": ("void f(Order order) {\n    order.|\n  }", "Order"),
    "a local": ("void f() {\n    Order order = find();\n    order.|\n  }", "Order"),
    "var": ("void f() {\n    var order = new Order(1);\n    order.|\n  }", "Order"),
    "static": ("void f() {\n    var order = Order.of(1);\n    order.|\n  }", "Order"),
    "a loop": ("void f(List<Order> xs) {\n    for (var x : xs) {\n      x.|\n    }\n  }", "Order"),
    "a typed loop": (
        "void f(Order o) {\n    for (Line x : o.getLines()) {\n      x.|\n    }\n  }",
        "Line",
    ),
    "an optional": ("void f(Order o) {\n    o.findLine(1).get().|\n  }", "Line"),
    "another call": ("void f(Order o) {\n    o.getLines().get(0).|\n  }", "Line"),
    "a callback": ("void f(List<Order> xs) {\n    xs.forEach(x -> x.|);\n  }", "Order"),
    "a field": ("OrderRepository repo;\n  void f() {\n    repo.|\n  }", "OrderRepository"),
    "this": ("OrderRepository repo;\n  void f() {\n    this.repo.|\n  }", "OrderRepository"),
    "a field's call": (
        "OrderRepository repo;\n  void f() {\n    var x = repo.findByNumber(1);\n    x.get(0).|\n  }",
        "Order",
    ),
    "cast": ("void f(Object x) {\n    ((Order) x).|\n  }", "Order"),
    "an instance": (
        "void f(Object x) {\n    if (x instanceof Order o) {\n      o.|\n    }\n  }",
        "Order",
    ),
    "a class": ("void f() {\n    Order.|\n  }", "Order"),
    "another method's": ("void f(Order o) {\n  }\n  void g() {\n    o.|\n  }", ""),
}
CSHARP_FILES = {
    "Shop/Order.cs": (
        "namespace Shop;\npublic class Entity { public long Id { get; set; } }\n"
        "public class Order : Entity\n{\n    public string Number { get; set; }\n"
        "    public List<Line> Lines { get; } = new();\n    public Line? First => Lines[0];\n"
        "    public async Task<Receipt> RefundAsync(string why) { return null; }\n}\n"
        "public record Line(string Product);\npublic class Receipt { public string Url { get; set; } }\n"
        "public class ShopContext : DbContext { public DbSet<Order> Orders { get; set; } }\n"
    ),
    "Web/App.cs": "using Shop;\nnamespace Web;\n",
}
CSHARP = {
    "a parameter": ("void F(Order order) {\n    order.|\n}", "Order"),
    "var": ("void F() {\n    var order = new Order();\n    order.|\n}", "Order"),
    "a loop": (
        "void F(IEnumerable<Order> xs) {\n    foreach (var x in xs) {\n        x.|\n    }\n}",
        "Order",
    ),
    "a set": (
        "async Task F(ShopContext db) {\n    var x = await db.Orders.FirstAsync();\n    x.|\n}",
        "Order",
    ),
    "a query": ("void F(ShopContext db) {\n    db.Orders.Where(x => x.|)\n}", "Order"),
    "awaited": (
        "async Task F(Order o) {\n    var r = await o.RefundAsync(1);\n    r.|\n}",
        "Receipt",
    ),
    "a property": ("void F(Order o) {\n    o.First?.|\n}", "Line"),
    "a field": ("private readonly ShopContext _db;\nvoid F() {\n    _db.|\n}", "ShopContext"),
    "a pattern": ("void F(object x) {\n    if (x is Order o) {\n        o.|\n    }\n}", "Order"),
    "out": ("void F() {\n    if (Try(out Order o)) {\n        o.|\n    }\n}", "Order"),
    "this": ("ShopContext db;\nvoid F() {\n    this.db.|\n}", "ShopContext"),
}


def java(text: str) -> str:
    return JAVA_HEAD + "class App {\n  " + text + "\n}\n"


def csharp(text: str) -> str:
    return "using Shop;\nnamespace Web;\nclass App\n{\n" + text + "\n}\n"


JAVASCRIPT_HEAD = 'import { Order } from "./models";\n\n'
WORKSPACES: dict[str, dict[str, str]] = {
    "app.py": {**FILES, "app.py": IMPORTS},
    "app.ipynb": {**FILES, "app.ipynb": ""},
    "src/app.ts": TYPESCRIPT_FILES,
    "src/app.tsx": TYPESCRIPT_FILES,
    "src/app.js": {
        "src/models.js": "export class Order extends Model {\n  ship(when) {}\n}\n",
        "src/app.js": JAVASCRIPT_HEAD,
    },
    "web/app.go": GO_FILES,
    "src/web/App.java": JAVA_FILES,
    "Web/App.cs": CSHARP_FILES,
}
CASES: dict[str, tuple[str, str, str]] = {
    **{f"python: {k}": ("app.py", IMPORTS + a, b) for k, (a, b) in PYTHON.items()},
    **{f"ts: {k}": ("src/app.ts", TYPESCRIPT_HEAD + a, b) for k, (a, b) in TYPESCRIPT.items()},
    **{f"tsx: {k}": ("src/app.tsx", TYPESCRIPT_HEAD + a, b) for k, (a, b) in TYPESCRIPT.items()},
    **{f"js: {k}": ("src/app.js", JAVASCRIPT_HEAD + a, b) for k, (a, b) in JAVASCRIPT.items()},
    **{f"go: {k}": ("web/app.go", GO_HEAD + a, b) for k, (a, b) in GO.items()},
    **{f"java: {k}": ("src/web/App.java", java(a), b) for k, (a, b) in JAVA.items()},
    **{f"csharp: {k}": ("Web/App.cs", csharp(a), b) for k, (a, b) in CSHARP.items()},
}
