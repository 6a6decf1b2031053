# ruff: noqa: E501
"""Workspaces, and places in them where a member is wanted: by hand, with the type it is of."""

from __future__ import annotations

from notebook_samples import cell, notebook

from sidecar.text.notebook import read_notebook

__all__ = ["CASES", "IMPORTS", "INSIDE", "LUA", "WORKSPACES"]

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

class Payment(models.Model):
    order = models.ForeignKey(Order, on_delete=models.CASCADE)
    payer = models.ForeignKey("shop.Customer", on_delete=models.CASCADE)
    others = models.ManyToManyField(Order)

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


#: Modules of the package that a file is in.
INSIDE = "from . import models, repo as kept\n\n"
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
    "an instance": ("def f(x):\n    if isinstance(x, Order):\n        x.|", "Order"),
    "an instance no more": (
        "def f(x: Line):\n    if isinstance(x, Order):\n        return\n    x.|",
        "Line",
    ),
    "asserted": ("def f(x):\n    assert isinstance(x, Order)\n    x.|", "Order"),
    "a foreign key": ("def f(p: models.Payment):\n    p.order.|", "Order"),
    "a foreign key by name": ("def f(p: models.Payment):\n    p.payer.|", "Customer"),
    "those of many": ("def f(p: models.Payment):\n    p.others.first().|", "Order"),
    "shadowed": ("def f(x: Order):\n    def g(x):\n        x.|", ""),
    "shadowed by a type": ("def f(x: Order):\n    def g(x: Line):\n        x.|", "Line"),
    "another function's": ("def f():\n    x = Order()\n\ndef g():\n    x.|", ""),
    "bound later": (
        "def f():\n    def g():\n        x.|\n        return 1\n\n    if a:\n        x = Order()\n    g()\n",
        "Order",
    ),
    "bound later outside": ("def g():\n    x.|\n\n\nx = Order()\n", "Order"),
    "bound later by another": ("def g():\n    x.|\n\n\ndef h():\n    x = Order()\n", ""),
    "bound later in the same block": ("def g():\n    x.|\n    x = Order()\n", ""),
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
    "a private field": (
        "class A {\n  #order: Order;\n  f() {\n    this.#order.|\n  }\n}\n",
        "Order",
    ),
    "an own container": (
        "class List<T> { head: T; }\nfunction f(list: List<Order>) {\n  list.|\n}\n",
        "List",
    ),
    "a part of an own container": (
        "class List<T> { head: T; }\nfunction f(list: List<Order>) {\n  list.head.|\n}\n",
        "Order",
    ),
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
    "documented": (
        "/**\n * Ships.\n * @param {Order} order - it\n */\nfunction f(order) {\n  order.|\n}\n",
        "Order",
    ),
    "documented together": (
        "/** @type {Order[]} */\nconst orders = load();\norders[0].|\n",
        "Order",
    ),
    "another's documentation": (
        "/** @param {Order} order */\nfunction f(order) {}\nfunction g(order) {\n  order.|\n}\n",
        "",
    ),
    "required": (
        "const { Line } = require('./lines');\nconst line = new Line();\nline.|\n",
        "Line",
    ),
    "a required module's": (
        "const lines = require('./lines');\nconst line = new lines.Line();\nline.|\n",
        "Line",
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
    "a repository": (
        "OrderRepository repo;\n  void f() {\n    var x = repo.findById(1L).orElseThrow();\n    x.|\n  }",
        "Order",
    ),
    "all of a repository": (
        "OrderRepository repo;\n  void f() {\n    for (var x : repo.findAll()) {\n      x.|\n    }\n  }",
        "Order",
    ),
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


KOTLIN_HEAD = "package web\n\nimport shop.Order\nimport shop.OrderRepo\n\n"
KOTLIN_FILES = {
    "src/shop/Order.kt": (
        "package shop\n\nopen class Entity {\n    val id: Long = 1\n}\n\n"
        "class Order(val number: String, var customer: Customer?) : Entity() {\n"
        "    val lines: List<Line> = listOf()\n\n    fun first(): Line? {\n        return null\n    }\n\n"
        "    companion object {\n        fun of(n: String): Order {\n            return Order(n, null)\n        }\n    }\n}\n\n"
        "data class Line(val product: String, val amount: Int)\n\nclass Customer(val email: String)\n"
    ),
    "src/shop/OrderRepo.kt": (
        "package shop\n\ninterface OrderRepo {\n    suspend fun find(id: Long): Order?\n    fun all(): List<Order>\n}\n"
    ),
    "src/web/App.kt": KOTLIN_HEAD,
}
KOTLIN = {
    "a parameter": ("fun f(order: Order) {\n    order.|\n}\n", "Order"),
    "made": ("fun f() {\n    val order = Order(1, null)\n    order.|\n}\n", "Order"),
    "nullable": ("fun f(order: Order?) {\n    order?.|\n}\n", "Order"),
    "a chain": ("fun f(order: Order) {\n    order.customer?.|\n}\n", "Customer"),
    "a loop": ("fun f(r: OrderRepo) {\n    for (o in r.all()) {\n        o.|\n    }\n}\n", "Order"),
    "a lambda": (
        "fun f(r: OrderRepo) {\n    r.all().filter { o ->\n        o.|\n    }\n}\n",
        "Order",
    ),
    "it": ("fun f(r: OrderRepo) {\n    r.all().filter { it.| }\n}\n", "Order"),
    "it of an object": ("fun f(order: Order) {\n    order.customer?.let { it.| }\n}\n", "Customer"),
    "let": ("fun f(order: Order) {\n    order.let { o ->\n        o.|\n    }\n}\n", "Order"),
    "a call": ("fun f(r: OrderRepo) {\n    val o = r.find(1) ?: return\n    o.|\n}\n", "Order"),
    "a field": (
        "class A(private val repo: OrderRepo) {\n    fun f() {\n        repo.|\n    }\n}\n",
        "OrderRepo",
    ),
    "this": (
        "class A(private val repo: OrderRepo) {\n    fun f() {\n        this.repo.|\n    }\n}\n",
        "OrderRepo",
    ),
    "an extension": ("fun Order.ship() {\n    this.|\n}\n", "Order"),
    "an instance": ("fun f(x: Any) {\n    if (x is Order) {\n        x.|\n    }\n}\n", "Order"),
    "not null": ("fun f(order: Order?) {\n    order!!.|\n}\n", "Order"),
    "cast": ("fun f(x: Any) {\n    (x as Order).|\n}\n", "Order"),
}
RUST_HEAD = "use crate::order::{Customer, Error, Order};\n\n"
RUST_FILES = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n',
    "src/lib.rs": "mod app;\nmod order;\n",
    "src/order.rs": (
        "pub struct Order {\n    pub number: String,\n    pub lines: Vec<Line>,\n    pub buyer: Option<Box<Customer>>,\n}\n\n"
        "pub struct Line {\n    pub product: String,\n}\n\npub struct Customer {\n    pub email: String,\n}\n\n"
        "pub enum Error {\n    Missing,\n}\n\n"
        "impl Order {\n    pub fn new(number: &str) -> Self {\n        todo!()\n    }\n\n"
        "    pub fn load(id: u32) -> Result<Order, Error> {\n        todo!()\n    }\n\n"
        "    pub fn first(&self) -> Option<&Line> {\n        None\n    }\n}\n"
    ),
    "src/app.rs": RUST_HEAD,
}
RUST = {
    "a parameter": ("fn f(order: &Order) {\n    order.|\n}\n", "Order"),
    "made": ("fn f() {\n    let order = Order::new(1);\n    order.|\n}\n", "Order"),
    "a result": (
        "fn f() -> Result<(), Error> {\n    let order = Order::load(1)?;\n    order.|\n}\n",
        "Order",
    ),
    "unwrapped": ("fn f() {\n    let order = Order::load(1).unwrap();\n    order.|\n}\n", "Order"),
    "an option": (
        "fn f(order: Option<Order>) {\n    if let Some(o) = order {\n        o.|\n    }\n}\n",
        "Order",
    ),
    "a match": (
        "fn f() {\n    match Order::load(1) {\n        Ok(o) => o.|,\n        _ => {}\n    }\n}\n",
        "Order",
    ),
    "a loop": (
        "fn f(order: &Order) {\n    for line in &order.lines {\n        line.|\n    }\n}\n",
        "Line",
    ),
    "an iterator": (
        "fn f(order: &Order) {\n    for line in order.lines.iter() {\n        line.|\n    }\n}\n",
        "Line",
    ),
    "a closure": (
        "fn f(xs: Vec<Order>) {\n    xs.iter().filter(|x| x.lines).any(|x| x.number);\n}\n".replace(
            "|", "‖"
        ).replace("x.number", "x.|"),
        "Order",
    ),
    "a box": ("fn f(order: Order) {\n    order.buyer.unwrap().|\n}\n", "Customer"),
    "a literal": ("fn f() {\n    let c = Customer { email: x };\n    c.|\n}\n", "Customer"),
    "self": (
        "struct A {\n    order: Order,\n}\n\nimpl A {\n    fn f(&self) {\n        self.order.|\n    }\n}\n",
        "Order",
    ),
    "a path": ("fn f() {\n    let x = Order::|\n}\n", "Order"),
    "an enum": ("fn f() {\n    return Err(Error::|);\n}\n", "Error"),
}
PHP_HEAD = (
    "<?php\n\nnamespace App\\Http;\n\nuse App\\Models\\Order;\nuse App\\Models\\OrderRepo;\n\n"
)
PHP_FILES = {
    "composer.json": '{"autoload": {"psr-4": {"App\\\\": "app/"}}}',
    "app/Models/Order.php": (
        "<?php\n\nnamespace App\\Models;\n\nclass Order extends Model\n{\n    public string $number;\n    private ?Customer $customer;\n\n"
        "    public function customer(): ?Customer\n    {\n        return null;\n    }\n\n"
        "    public static function latest(): self\n    {\n        return new self();\n    }\n}\n"
    ),
    "app/Models/Customer.php": "<?php\n\nnamespace App\\Models;\n\nclass Customer\n{\n    public string $email;\n}\n",
    "app/Models/OrderRepo.php": (
        "<?php\n\nnamespace App\\Models;\n\nclass OrderRepo\n{\n    public function find(int $id): Order\n    {\n        return $x;\n    }\n}\n"
    ),
    "app/Http/App.php": PHP_HEAD,
}
PHP = {
    "a parameter": ("function f(Order $order) {\n    $order->|\n}\n", "Order"),
    "made": ("function f() {\n    $order = new Order();\n    $order->|\n}\n", "Order"),
    "found": (
        "function f() {\n    $order = Order::where('a', 1)->first();\n    $order->|\n}\n",
        "Order",
    ),
    "all": (
        "function f() {\n    foreach (Order::all() as $order) {\n        $order->|\n    }\n}\n",
        "Order",
    ),
    "static": ("function f() {\n    $order = Order::latest();\n    $order->|\n}\n", "Order"),
    "a chain": ("function f(Order $order) {\n    $order->customer()?->|\n}\n", "Customer"),
    "nullable": ("function f(?Order $order) {\n    return $order?->|;\n}\n", "Order"),
    "a field": (
        "class A {\n    private OrderRepo $repo;\n    function f() {\n        $this->repo->|\n    }\n}\n",
        "OrderRepo",
    ),
    "promoted": (
        "class A {\n    function __construct(private OrderRepo $repo) {}\n    function f() {\n        $this->repo->find(1)->|\n    }\n}\n",
        "Order",
    ),
    "an instance": (
        "function f($x) {\n    if ($x instanceof Order) {\n        $x->|\n    }\n}\n",
        "Order",
    ),
    "documented": (
        "/**\n * @param Order[] $orders\n */\nfunction f($orders) {\n    foreach ($orders as $order) {\n        $order->|\n    }\n}\n",
        "Order",
    ),
    "documented inside": (
        "function f() {\n    /** @var Order $order */\n    $order = load();\n    $order->|\n}\n",
        "Order",
    ),
    "in brackets": ("function f() {\n    (new Order())->|\n}\n", "Order"),
}
SWIFT_FILES = {
    "Sources/Order.swift": (
        "class Entity {\n    var id: Int = 0\n}\n\nclass Order: Entity {\n    let number: String\n    var customer: Customer?\n    var lines: [Line] = []\n\n"
        "    func first() -> Line? {\n        return nil\n    }\n\n    static func load(id: Int) async throws -> Order {\n        fatalError()\n    }\n}\n\n"
        "struct Line {\n    var product: String\n}\n\nstruct Customer {\n    var email: String\n}\n"
    ),
    "Sources/App.swift": "import Foundation\n",
}
SWIFT = {
    "a parameter": ("func f(order: Order) {\n    order.|\n}\n", "Order"),
    "named twice": ("func f(of order: Order?) {\n    order?.|\n}\n", "Order"),
    "made": ("func f() {\n    let order = Order()\n    order.|\n}\n", "Order"),
    "awaited": (
        "func f() async {\n    let order = try await Order.load(id: 1)\n    order.|\n}\n",
        "Order",
    ),
    "unwrapped": (
        "func f(order: Order) {\n    if let c = order.customer {\n        c.|\n    }\n}\n",
        "Customer",
    ),
    "guarded": (
        "func f(order: Order) {\n    guard let c = order.customer else { return }\n    c.|\n}\n",
        "Customer",
    ),
    "a loop": (
        "func f(order: Order) {\n    for line in order.lines {\n        line.|\n    }\n}\n",
        "Line",
    ),
    "a closure": (
        "func f(order: Order) {\n    order.lines.filter { line in\n        line.|\n    }\n}\n",
        "Line",
    ),
    "self": (
        "class A {\n    var order: Order\n    func f() {\n        self.order.|\n    }\n}\n",
        "Order",
    ),
    "a field": (
        "class A {\n    var order: Order\n    func f() {\n        order.|\n    }\n}\n",
        "Order",
    ),
    "cast": ("func f(x: Any) {\n    (x as! Order).|\n}\n", "Order"),
}
CPP_FILES = {
    "order.h": (
        "#pragma once\n#include <memory>\n#include <vector>\n\nstruct Line {\n  int amount;\n};\n\nclass Entity {\n public:\n  long id() const;\n};\n\n"
        "class Order : public Entity {\n public:\n  std::vector<Line> lines;\n  std::unique_ptr<Line> first() const;\n  static Order *load(int id);\n private:\n  int secret_;\n};\n"
    ),
    "app.h": '#include "order.h"\nclass App : public Entity {\n public:\n  void run();\n  Order *order_;\n};\n',
    "app.cpp": '#include "app.h"\n',
}
CPP = {
    "a reference": ("void f(const Order &order) {\n  order.|\n}\n", "Order"),
    "a pointer": ("void f(Order *order) {\n  order->|\n}\n", "Order"),
    "an owner": ("void f(std::unique_ptr<Order> order) {\n  order->|\n}\n", "Order"),
    "a local": ("void f() {\n  Order order;\n  order.|\n}\n", "Order"),
    "auto": ("void f() {\n  auto *order = new Order();\n  order->|\n}\n", "Order"),
    "made": ("void f() {\n  auto order = std::make_unique<Order>();\n  order->|\n}\n", "Order"),
    "a loop": (
        "void f(std::vector<Order> &xs) {\n  for (auto &x : xs) {\n    x.|\n  }\n}\n",
        "Order",
    ),
    "a chain": ("void f(Order *order) {\n  order->lines[0].|\n}\n", "Line"),
    "a method": ("void f(Order *order) {\n  order->first()->|\n}\n", "Line"),
    "static": ("void f() {\n  auto order = Order::load(1);\n  order->|\n}\n", "Order"),
    "a member": ("void App::run() {\n  order_->|\n}\n", "Order"),
    "this": ("void App::run() {\n  this->order_->|\n}\n", "Order"),
    "cast": ("void f(Entity *e) {\n  static_cast<Order *>(e)->|\n}\n", "Order"),
}
C_FILES = {
    "order.h": "struct line {\n  int amount;\n};\n\nstruct order {\n  int number;\n  struct line *lines;\n};\n\nstruct order *order_load(int id);\n",
    "app.c": '#include "order.h"\n',
}
C = {
    "a pointer": ("int f(struct order *o) {\n  o->|\n}\n", "order"),
    "a local": ("int f(void) {\n  struct order *o = order_load(1);\n  o->|\n}\n", "order"),
    "a chain": ("int f(struct order *o) {\n  o->lines->|\n}\n", "line"),
    "a call": ("int f(void) {\n  return order_load(1)->|;\n}\n", "order"),
}
RUBY_FILES = {
    "app/models/order.rb": (
        "class Order < ApplicationRecord\n  attr_accessor :line\n\n  def initialize(number)\n    @line = Line.new(number)\n  end\n\n"
        "  def ship(at)\n  end\nend\n"
    ),
    "app/models/line.rb": "class Line\n  def price\n  end\nend\n",
    "app/app.rb": "",
}
RUBY = {
    "made": ("def f\n  order = Order.new(1)\n  order.|\nend\n", "Order"),
    "found": ("def f\n  order = Order.where(a: 1).first\n  order.|\nend\n", "Order"),
    "found without brackets": ("def f\n  order = Order.find 1\n  order.|\nend\n", "Order"),
    "a block": (
        "def f\n  Order.all.each do |o|\n    o.price\n  end\nend\n".replace("|", "‖").replace(
            "o.price", "o.|"
        ),
        "Order",
    ),
    "a field": (
        "class A\n  def initialize\n    @order = Order.new\n  end\n\n  def f\n    @order.|\n  end\nend\n",
        "Order",
    ),
    "an attribute": ("def f\n  Order.find(1).line.|\nend\n", "Line"),
    "safe": ("def f\n  order = Order.find_by(a: 1)\n  order&.|\nend\n", "Order"),
    "assigned once": ("def f\n  @order ‖‖= Order.new\n  @order.|\nend\n", "Order"),
    "self": ("class A\n  def f\n    self.f|\n  end\nend\n", "A"),
    "rescued": (
        "class OwnError < StandardError\nend\n\ndef f\nrescue OwnError => e\n  e.|\nend\n",
        "OwnError",
    ),
}


#: The cells of notebooks behind the one that imports; the last holds the place.
NOTEBOOKS = {
    "a name of a cell above": (("order = Order()", "order.|"), "Order"),
    "a cell in between": (("order = latest_order(Customer())", "print(1)", "order.|"), "Order"),
    "declared in a cell": (
        ("class Basket:\n    lines: list[Line]", "b = Basket()", "b.|"),
        "Basket",
    ),
    "a field of what a cell declares": (
        ("class Basket:\n    first: Line", "def f(basket: Basket):\n    basket.first.|"),
        "Line",
    ),
    "a function of a cell": (
        ("def make(n) -> Receipt:\n    ...", "%timeit make(1)", "made = make(2)\nmade.|"),
        "Receipt",
    ),
    "magics around": (
        ("%matplotlib inline\n!pip install -q 'shop", "%%time\nline = Line(1)", "line.|"),
        "Line",
    ),
    "a cell of another language": (
        ("order = Order()", "%%bash\norder=$(cat <<X", "for line in order.lines:\n    line.|"),
        "Line",
    ),
    "a cell of text": (
        ("order = Order()", cell("order = Receipt()\n\n```", "markdown"), "order.|"),
        "Order",
    ),
    "another name further down": (("x = Order()", "x = Receipt()", "x.|"), "Receipt"),
    "a cell that does not parse": (("print 'draft", "line = Line(1)", "line.|"), "Line"),
    "await at the top": (
        ("order = Order()", "receipt = await order.refund()", "receipt.|"),
        "Receipt",
    ),
    "unknown": (("frame = read(1)", "frame.|"), ""),
}


def java(text: str) -> str:
    return JAVA_HEAD + "class App {\n  " + text + "\n}\n"


def csharp(text: str) -> str:
    return "using Shop;\nnamespace Web;\nclass App\n{\n" + text + "\n}\n"


LUA = 'local Order = require("models.order")\n\n'
JAVASCRIPT_HEAD = 'import { Order } from "./models";\n\n'
WORKSPACES: dict[str, dict[str, str]] = {
    "app.py": {**FILES, "app.py": IMPORTS},
    "shop/app.py": {**FILES, "shop/app.py": INSIDE},
    "app.ipynb": {**FILES, "app.ipynb": notebook(IMPORTS)},
    "src/app.ts": TYPESCRIPT_FILES,
    "src/app.tsx": TYPESCRIPT_FILES,
    "src/app.js": {
        "src/models.js": "export class Order extends Model {\n  ship(when) {}\n}\n",
        "src/lines.js": "class Line { price() {} }\nmodule.exports = { Line };\n",
        "src/app.js": JAVASCRIPT_HEAD
        + "const { Line } = require('./lines');\nconst lines = require('./lines');\n",
    },
    "web/app.go": GO_FILES,
    "src/web/App.java": JAVA_FILES,
    "Web/App.cs": CSHARP_FILES,
    "src/web/App.kt": KOTLIN_FILES,
    "src/app.rs": RUST_FILES,
    "app/Http/App.php": PHP_FILES,
    "Sources/App.swift": SWIFT_FILES,
    "app.cpp": CPP_FILES,
    "app.c": C_FILES,
    "app/app.rb": RUBY_FILES,
    "app.lua": {
        "models/order.lua": "local Order = {}\n\nfunction Order.new(n)\nend\n\nreturn Order\n",
        "app.lua": LUA,
    },
}
CASES: dict[str, tuple[str, str, str]] = {
    **{f"python: {k}": ("app.py", IMPORTS + a, b) for k, (a, b) in PYTHON.items()},
    **{
        f"notebook: {k}": ("app.ipynb", read_notebook(notebook(IMPORTS, *cells)).text, b)
        for k, (cells, b) in NOTEBOOKS.items()
    },
    **{f"ts: {k}": ("src/app.ts", TYPESCRIPT_HEAD + a, b) for k, (a, b) in TYPESCRIPT.items()},
    **{f"tsx: {k}": ("src/app.tsx", TYPESCRIPT_HEAD + a, b) for k, (a, b) in TYPESCRIPT.items()},
    **{f"js: {k}": ("src/app.js", JAVASCRIPT_HEAD + a, b) for k, (a, b) in JAVASCRIPT.items()},
    **{f"go: {k}": ("web/app.go", GO_HEAD + a, b) for k, (a, b) in GO.items()},
    **{f"java: {k}": ("src/web/App.java", java(a), b) for k, (a, b) in JAVA.items()},
    **{f"csharp: {k}": ("Web/App.cs", csharp(a), b) for k, (a, b) in CSHARP.items()},
    **{f"kotlin: {k}": ("src/web/App.kt", KOTLIN_HEAD + a, b) for k, (a, b) in KOTLIN.items()},
    **{f"rust: {k}": ("src/app.rs", RUST_HEAD + a, b) for k, (a, b) in RUST.items()},
    **{f"php: {k}": ("app/Http/App.php", PHP_HEAD + a, b) for k, (a, b) in PHP.items()},
    **{
        f"swift: {k}": ("Sources/App.swift", "import Foundation\n" + a, b)
        for k, (a, b) in SWIFT.items()
    },
    **{f"cpp: {k}": ("app.cpp", '#include "app.h"\n' + a, b) for k, (a, b) in CPP.items()},
    **{f"c: {k}": ("app.c", '#include "order.h"\n' + a, b) for k, (a, b) in C.items()},
    **{f"ruby: {k}": ("app/app.rb", a, b) for k, (a, b) in RUBY.items()},
}
