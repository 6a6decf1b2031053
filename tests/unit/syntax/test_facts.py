"""Python, JavaScript, TypeScript, TSX and Go: what files of real packages declare and refer to.

The samples and their licences are in tests/data/symbols; what is expected was written by reading
them.
"""

from __future__ import annotations

from symbol_samples import check

BOTH_WIDTHS = (("min_width", "Optional[int]"), ("max_width", "Optional[int]"))
ONE_WIDTH = (("width", "int"),)


def test_a_named_tuple_with_methods_in_python() -> None:
    check(
        "python/measure.py",
        """
        11 class Measurement | class Measurement(NamedTuple)
        14 field Measurement.minimum | minimum: int
        16 field Measurement.maximum | maximum: int
        20 method Measurement.span | @property def span(self) -> int
        24 method Measurement.normalize | def normalize(self) -> "Measurement"
        34 method Measurement.with_maximum | def with_maximum(self, width: int) -> "Measurement"
        46 method Measurement.with_minimum | def with_minimum(self, width: int) -> "Measurement"
        59 method Measurement.clamp | def clamp( self, min_width: Optional[int] = None, max_width: Optional[int] = None ) -> "Measurement"
        79 method Measurement.get | @classmethod def get( cls, console: "Console", options: "ConsoleOptions", renderable: "RenderableType" ) -> "Measurement"
        125 function measure_renderables | def measure_renderables( console: "Console", options: "ConsoleOptions", renderables: Sequence["RenderableType"], ) -> "Measurement"
        """,  # noqa: E501
        imports=[
            ("operator", "itemgetter", "", 1),
            ("typing", "TYPE_CHECKING", "", 2),
            ("typing", "Callable", "", 2),
            ("typing", "NamedTuple", "", 2),
            ("typing", "Optional", "", 2),
            ("typing", "Sequence", "", 2),
            (".", "errors", "", 4),
            (".protocol", "is_renderable", "", 5),
            (".protocol", "rich_cast", "", 5),
            (".console", "Console", "", 8),
            (".console", "ConsoleOptions", "", 8),
            (".console", "RenderableType", "", 8),
        ],
        docs={
            "Measurement": (
                "Stores the minimum and maximum widths (in characters) required to render an "
                "object."
            ),
            "Measurement.span": "Get difference between maximum and minimum.",
            "Measurement.normalize": (
                "Get measurement that ensures that minimum <= maximum and minimum >= 0"
            ),
            "Measurement.with_maximum": "Get a RenderableWith where the widths are <= width.",
            "Measurement.with_minimum": "Get a RenderableWith where the widths are >= width.",
            "Measurement.clamp": "Clamp a measurement within the specified range.",
            "Measurement.get": "Get a measurement for a renderable.",
            "measure_renderables": ("Get a measurement that would fit a number of renderables."),
        },
        bases={"Measurement": ("NamedTuple",)},
        types={
            "Measurement.minimum": "int",
            "Measurement.maximum": "int",
            "Measurement.span": "int",
            "Measurement.normalize": '"Measurement"',
            "Measurement.with_maximum": '"Measurement"',
            "Measurement.with_minimum": '"Measurement"',
            "Measurement.clamp": '"Measurement"',
            "Measurement.get": '"Measurement"',
            "measure_renderables": '"Measurement"',
        },
        parameters={
            "Measurement.with_maximum": ONE_WIDTH,
            "Measurement.with_minimum": ONE_WIDTH,
            "Measurement.clamp": BOTH_WIDTHS,
            "Measurement.get": (
                ("console", '"Console"'),
                ("options", '"ConsoleOptions"'),
                ("renderable", '"RenderableType"'),
            ),
            "measure_renderables": (
                ("console", '"Console"'),
                ("options", '"ConsoleOptions"'),
                ("renderables", 'Sequence["RenderableType"]'),
            ),
        },
        references={
            "itemgetter": (2, 0, 0),
            "Measurement": (8, 0, 0),
            "NamedTuple": (0, 0, 1),
            "NotRenderableError": (1, 0, 0),
            "Optional": (0, 0, 3),
            "int": (0, 0, 7),
            "max": (9, 0, 0),
            "maximum": (0, 3, 0),
            "normalize": (2, 0, 0),
            "property": (1, 0, 0),
            "with_maximum": (2, 0, 0),
        },
    )


def test_a_class_in_javascript() -> None:
    check(
        "javascript/argument.js",
        """
        3 class Argument | class Argument
        13 method Argument.constructor | constructor(name, description)
        14 field Argument.description | this.description = description || ''
        15 field Argument.variadic | this.variadic = false
        16 field Argument.parseArg | this.parseArg = undefined
        17 field Argument.defaultValue | this.defaultValue = undefined
        18 field Argument.defaultValueDescription | this.defaultValueDescription = undefined
        19 field Argument.argChoices | this.argChoices = undefined
        23 field Argument.required | this.required = true
        24 field Argument._name | this._name = name.slice(1, -1)
        48 method Argument.name | name()
        56 method Argument._collectValue | _collectValue(value, previous)
        73 method Argument.default | default(value, description)
        86 method Argument.argParser | argParser(fn)
        98 method Argument.choices | choices(values)
        100 function parseArg | this.parseArg = (arg, previous)
        119 method Argument.argRequired | argRequired()
        129 method Argument.argOptional | argOptional()
        143 function humanReadableArgName | function humanReadableArgName(arg)
        """,
        imports=[("./error.js", "InvalidArgumentError", "", 1)],
        # An empty line stands between most of them and what they are about.
        docs={
            "Argument.constructor": (
                "Initialize a new command argument with the given name and description."
            ),
            "Argument.name": "Return argument name.",
            "Argument.default": (
                "Set the default value, and optionally supply the description to be displayed in "
                "the help."
            ),
            "Argument.argParser": (
                "Set the custom handler for processing CLI command arguments into argument values."
            ),
            "Argument.choices": "Only allow argument value to be one of choices.",
            "Argument.argRequired": "Make argument required.",
            "Argument.argOptional": "Make argument optional.",
            "humanReadableArgName": (
                "Takes an argument and returns its human readable equivalent for help usage."
            ),
        },
        bases={},
        types={},
        parameters={},
        references={
            "InvalidArgumentError": (1, 0, 0),
            "_name": (0, 7, 0),
            "includes": (1, 0, 0),
            "name": (1, 0, 0),
            "parseArg": (0, 3, 0),
            "slice": (4, 0, 0),
            "variadic": (0, 4, 0),
        },
    )


def test_a_function_with_a_prototype_in_javascript() -> None:
    check(
        "javascript/view.js",
        """
        16 variable debug | debug = require('debug')('express:view')
        17 variable path | path = require('node:path')
        18 variable fs | fs = require('node:fs')
        25 variable dirname | dirname = path.dirname
        26 variable basename | basename = path.basename
        27 variable extname | extname = path.extname
        28 variable join | join = path.join
        29 variable resolve | resolve = path.resolve
        52 function View | function View(name, options)
        104 method View.lookup | View.prototype.lookup = function lookup(name)
        """,
        imports=[
            ("debug", "", "", 16),
            ("node:path", "", "path", 17),
            ("node:fs", "", "fs", 18),
        ],
        docs={
            "debug": "Module dependencies.",
            "dirname": "Module variables.",
            "View": "Initialize a new `View` with the given `name`.",
            "View.lookup": "Lookup view by the given `name`",
        },
        bases={},
        types={},
        parameters={},
        references={
            "concat": (1, 0, 0),
            "debug": (2, 0, 0),
            "extname": (1, 1, 0),
            "join": (0, 1, 0),
            "require": (4, 0, 0),
            "resolve": (2, 1, 0),
        },
    )


def test_a_class_with_parameter_properties_in_typescript() -> None:
    check(
        "typescript/ReplaySubject.ts",
        """
        37 class ReplaySubject | export class ReplaySubject<T> extends Subject<T>
        38 field ReplaySubject._buffer | private _buffer: (T | number)[] = []
        39 field ReplaySubject._infiniteTimeWindow | private _infiniteTimeWindow = true
        47 method ReplaySubject.constructor | constructor( private _bufferSize = Infinity, private _windowTime = Infinity, private _timestampProvider: TimestampProvider = dateTimestampProvider )
        48 field ReplaySubject._bufferSize | private _bufferSize = Infinity
        49 field ReplaySubject._windowTime | private _windowTime = Infinity
        50 field ReplaySubject._timestampProvider | private _timestampProvider: TimestampProvider = dateTimestampProvider
        58 method ReplaySubject.next | next(value: T): void
        69 method ReplaySubject._subscribe | protected _subscribe(subscriber: Subscriber<T>): Subscription
        88 method ReplaySubject._trimBuffer | private _trimBuffer()
        """,  # noqa: E501
        imports=[
            ("./Subject", "Subject", "", 1),
            ("./types", "TimestampProvider", "", 2),
            ("./Subscriber", "Subscriber", "", 3),
            ("./Subscription", "Subscription", "", 4),
            ("./scheduler/dateTimestampProvider", "dateTimestampProvider", "", 5),
        ],
        # What stands above the constructor is about its parameters only.
        docs={
            "ReplaySubject": (
                'A variant of {@link Subject} that "replays" old values to new subscribers by '
                "emitting them when they first subscribe."
            ),
        },
        bases={"ReplaySubject": ("Subject",)},
        types={
            "ReplaySubject._buffer": "(T | number)[]",
            "ReplaySubject._timestampProvider": "TimestampProvider",
            "ReplaySubject.next": "void",
            "ReplaySubject._subscribe": "Subscription",
        },
        parameters={
            "ReplaySubject.constructor": (("_timestampProvider", "TimestampProvider"),),
            "ReplaySubject.next": (("value", "T"),),
            "ReplaySubject._subscribe": (("subscriber", "Subscriber<T>"),),
        },
        references={
            "Subject": (0, 0, 1),
            "Subscriber": (0, 0, 1),
            "TimestampProvider": (0, 0, 1),
            "_trimBuffer": (2, 0, 0),
            "length": (0, 4, 0),
            "next": (2, 0, 0),
            "now": (2, 0, 0),
            "push": (2, 0, 0),
        },
    )


def test_types_interfaces_and_generic_methods_in_typescript() -> None:
    meta = "undefined extends Meta ? [$replace<Meta, S>?] : [$replace<Meta, S>]"
    check(
        "typescript/registries.ts",
        """
        4 variable $output | export const $output: unique symbol = Symbol("ZodOutput")
        5 type $output | export type $output = typeof $output
        6 variable $input | export const $input: unique symbol = Symbol("ZodInput")
        7 type $input | export type $input = typeof $input
        9 type $replace | export type $replace<Meta, S extends $ZodType> = Meta extends $output ? core.output<S> : Meta extends $input ? core.input<S> : Meta extends (infer M)[] ? $replace<M, S>[] : Meta extends (...args: infer P) => infer R ? ( ...args: { [K in keyof P]: $replace<P[K], S>; } ) => $replace<R, S> : Meta extends object ? { [K in keyof Meta]: $replace<Meta[K], S> } : Meta
        26 type MetadataType | type MetadataType = object | undefined
        27 class $ZodRegistry | export class $ZodRegistry<Meta extends MetadataType = MetadataType, Schema extends $ZodType = $ZodType>
        28 field $ZodRegistry._meta | _meta!: Meta
        29 field $ZodRegistry._schema | _schema!: Schema
        30 field $ZodRegistry._map | _map: WeakMap<Schema, $replace<Meta, Schema>> = new WeakMap()
        31 field $ZodRegistry._idmap | _idmap: Map<string, Schema> = new Map()
        33 method $ZodRegistry.add | add<S extends Schema>( schema: S, ..._meta: undefined extends Meta ? [$replace<Meta, S>?] : [$replace<Meta, S>] ): this
        45 method $ZodRegistry.clear | clear(): this
        51 method $ZodRegistry.remove | remove(schema: Schema): this
        60 method $ZodRegistry.get | get<S extends Schema>(schema: S): $replace<Meta, S> | undefined
        66 variable pm | pm: any = { ...(this.get(p) ?? {}) }
        68 variable f | f = { ...pm, ...this._map.get(schema) } as any
        74 method $ZodRegistry.has | has(schema: Schema): boolean
        79 interface JSONSchemaMeta | export interface JSONSchemaMeta
        80 field JSONSchemaMeta.id | id?: string | undefined
        81 field JSONSchemaMeta.title | title?: string | undefined
        82 field JSONSchemaMeta.description | description?: string | undefined
        83 field JSONSchemaMeta.deprecated | deprecated?: boolean | undefined
        87 interface GlobalMeta | export interface GlobalMeta extends JSONSchemaMeta
        90 function registry | export function registry<T extends MetadataType = MetadataType, S extends $ZodType = $ZodType>(): $ZodRegistry<T, S>
        94 interface GlobalThisWithRegistry | interface GlobalThisWithRegistry
        101 field GlobalThisWithRegistry.__zod_globalRegistry | __zod_globalRegistry?: $ZodRegistry<GlobalMeta>
        105 variable globalRegistry | export const globalRegistry: $ZodRegistry<GlobalMeta> = (globalThis as GlobalThisWithRegistry).__zod_globalRegistry!
        """,  # noqa: E501
        imports=[("./core.js", "*", "core", 1), ("./schemas.js", "$ZodType", "", 2)],
        docs={
            "registry": "registries",
            "GlobalThisWithRegistry.__zod_globalRegistry": (
                "The globalRegistry instance shared across both CommonJS and ESM builds."
            ),
        },
        bases={"GlobalMeta": ("JSONSchemaMeta",)},
        types={
            "$output": "unique symbol",
            "$input": "unique symbol",
            "$ZodRegistry._meta": "Meta",
            "$ZodRegistry._schema": "Schema",
            "$ZodRegistry._map": "WeakMap<Schema, $replace<Meta, Schema>>",
            "$ZodRegistry._idmap": "Map<string, Schema>",
            "$ZodRegistry.add": "this",
            "$ZodRegistry.clear": "this",
            "$ZodRegistry.remove": "this",
            "$ZodRegistry.get": "$replace<Meta, S> | undefined",
            "$ZodRegistry.has": "boolean",
            "pm": "any",
            "JSONSchemaMeta.id": "string | undefined",
            "JSONSchemaMeta.title": "string | undefined",
            "JSONSchemaMeta.description": "string | undefined",
            "JSONSchemaMeta.deprecated": "boolean | undefined",
            "registry": "$ZodRegistry<T, S>",
            "GlobalThisWithRegistry.__zod_globalRegistry": "$ZodRegistry<GlobalMeta>",
            "globalRegistry": "$ZodRegistry<GlobalMeta>",
        },
        parameters={
            "$ZodRegistry.add": (("schema", "S"), ("..._meta", meta)),
            "$ZodRegistry.remove": (("schema", "Schema"),),
            "$ZodRegistry.get": (("schema", "S"),),
            "$ZodRegistry.has": (("schema", "Schema"),),
        },
        references={
            "GlobalMeta": (0, 0, 3),
            "JSONSchemaMeta": (0, 0, 1),
            "Symbol": (2, 0, 0),
            "WeakMap": (2, 0, 1),
            "get": (4, 0, 0),
            "has": (1, 0, 0),
            "set": (2, 0, 0),
        },
    )


def test_components_in_tsx() -> None:
    check(
        "tsx/QueryClientProvider.tsx",
        """
        8 variable QueryClientContext | export const QueryClientContext = React.createContext<QueryClient | undefined>( undefined, )
        20 function useQueryClient | export const useQueryClient = (queryClient?: QueryClient)
        37 type QueryClientProviderProps | export type QueryClientProviderProps = { client: QueryClient children?: React.ReactNode }
        43 field QueryClientProviderProps.client | client: QueryClient
        47 field QueryClientProviderProps.children | children?: React.ReactNode
        68 function QueryClientProvider | export const QueryClientProvider = ({ client, children, }: QueryClientProviderProps): React.JSX.Element
        """,  # noqa: E501
        imports=[("react", "*", "React", 2), ("@tanstack/query-core", "QueryClient", "", 3)],
        docs={
            "QueryClientContext": (
                "The context that `useQueryClient` reads from. `QueryClientProvider` is the "
                "normal way to set it."
            ),
            "useQueryClient": (
                "The `useQueryClient` hook returns the current `QueryClient` instance."
            ),
            "QueryClientProviderProps": "The props accepted by `QueryClientProvider`.",
            "QueryClientProviderProps.client": "Required",
            "QueryClientProviderProps.children": (
                "The components that get access to the provided `QueryClient`."
            ),
            "QueryClientProvider": (
                "Use the `QueryClientProvider` component to connect and provide a `QueryClient` "
                "to your application. Also"
            ),
        },
        bases={},
        types={
            "QueryClientProviderProps.client": "QueryClient",
            "QueryClientProviderProps.children": "React.ReactNode",
            "QueryClientProvider": "React.JSX.Element",
        },
        parameters={
            "useQueryClient": (("queryClient", "QueryClient"),),
            "QueryClientProvider": (("{ client, children, }", "QueryClientProviderProps"),),
        },
        references={
            "Error": (1, 0, 0),
            "QueryClient": (0, 0, 3),
            "QueryClientProviderProps": (0, 0, 1),
            "mount": (1, 0, 0),
            "useContext": (1, 0, 0),
            "useEffect": (1, 0, 0),
        },
    )


def test_functions_methods_and_interfaces_in_go() -> None:
    check(
        "go/middleware.go",
        """
        11 type MiddlewareFunc | type MiddlewareFunc func(http.Handler) http.Handler
        14 interface middleware | type middleware interface
        15 method middleware.Middleware | Middleware(handler http.Handler) http.Handler
        19 method MiddlewareFunc.Middleware | func (mw MiddlewareFunc) Middleware(handler http.Handler) http.Handler
        24 method Router.Use | func (r *Router) Use(mwf ...MiddlewareFunc)
        31 method Router.useInterface | func (r *Router) useInterface(mw middleware)
        39 function CORSMethodMiddleware | func CORSMethodMiddleware(r *Router) MiddlewareFunc
        58 function getAllMethodsForRoute | func getAllMethodsForRoute(r *Router, req *http.Request) ([]string, error)
        """,  # noqa: E501
        imports=[("net/http", "", "", 4), ("strings", "", "", 5)],
        docs={
            "MiddlewareFunc": (
                "MiddlewareFunc is a function which receives an http.Handler and returns another "
                "http.Handler."
            ),
            "middleware": (
                "middleware interface is anything which implements a MiddlewareFunc named "
                "Middleware."
            ),
            "MiddlewareFunc.Middleware": (
                "Middleware allows MiddlewareFunc to implement the middleware interface."
            ),
            "Router.Use": (
                "Use appends a MiddlewareFunc to the chain. Middleware can be used to intercept "
                "or otherwise modify requests and/or responses, and are executed in the order "
                "that they are applied to the Router."
            )[:160],
            "Router.useInterface": (
                "useInterface appends a middleware to the chain. Middleware can be used to "
                "intercept or otherwise modify requests and/or responses, and are executed in "
                "the order that they are applied to the Router."
            )[:160],
            "CORSMethodMiddleware": (
                "CORSMethodMiddleware automatically sets the Access-Control-Allow-Methods "
                "response header"
            ),
            "getAllMethodsForRoute": (
                "getAllMethodsForRoute returns all the methods from method matchers matching a "
                "given"
            ),
        },
        bases={},
        types={
            "middleware.Middleware": "http.Handler",
            "MiddlewareFunc.Middleware": "http.Handler",
            "CORSMethodMiddleware": "MiddlewareFunc",
            "getAllMethodsForRoute": "([]string, error)",
        },
        # The receiver is one of them: its name has a type in the body.
        parameters={
            "middleware.Middleware": (("handler", "http.Handler"),),
            "MiddlewareFunc.Middleware": (("mw", "MiddlewareFunc"), ("handler", "http.Handler")),
            "Router.Use": (("r", "*Router"), ("mwf", "MiddlewareFunc")),
            "Router.useInterface": (("r", "*Router"), ("mw", "middleware")),
            "CORSMethodMiddleware": (("r", "*Router"),),
            "getAllMethodsForRoute": (("r", "*Router"), ("req", "*http.Request")),
        },
        references={
            "Handler": (0, 0, 8),
            "HandlerFunc": (1, 0, 0),
            "Match": (1, 0, 0),
            "MiddlewareFunc": (0, 0, 3),
            "Router": (0, 0, 4),
            "append": (3, 0, 0),
            "getAllMethodsForRoute": (1, 0, 0),
            "middlewares": (0, 4, 0),
        },
    )


def test_structs_and_constants_in_go() -> None:
    check(
        "go/regexp.go",
        """
        17 struct routeRegexpOptions | type routeRegexpOptions struct
        18 field routeRegexpOptions.strictSlash | strictSlash bool
        19 field routeRegexpOptions.useEncodedPath | useEncodedPath bool
        22 type regexpType | type regexpType int
        25 constant regexpTypePath | regexpTypePath regexpType = 0
        26 constant regexpTypeHost | regexpTypeHost regexpType = 1
        27 constant regexpTypePrefix | regexpTypePrefix regexpType = 2
        28 constant regexpTypeQuery | regexpTypeQuery regexpType = 3
        33 struct routeRegexp | type routeRegexp struct
        35 field routeRegexp.template | template string
        37 field routeRegexp.regexpType | regexpType regexpType
        39 field routeRegexp.options | options routeRegexpOptions
        41 field routeRegexp.regexp | regexp *regexp.Regexp
        43 field routeRegexp.reverse | reverse string
        45 field routeRegexp.varsN | varsN []string
        47 field routeRegexp.varsR | varsR []*regexp.Regexp
        49 field routeRegexp.wildcardHostPort | wildcardHostPort bool
        53 method routeRegexp.Match | func (r *routeRegexp) Match(req *http.Request, match *RouteMatch) bool
        """,  # noqa: E501
        imports=[
            ("bytes", "", "", 8),
            ("fmt", "", "", 9),
            ("net/http", "", "", 10),
            ("net/url", "", "", 11),
            ("regexp", "", "", 12),
            ("strconv", "", "", 13),
            ("strings", "", "", 14),
        ],
        docs={
            "routeRegexp": "routeRegexp stores a regexp to match a host or path and information to",
            "routeRegexp.template": "The unmodified template.",
            "routeRegexp.regexpType": "The type of match",
            "routeRegexp.options": "Options for matching",
            "routeRegexp.regexp": "Expanded regexp.",
            "routeRegexp.reverse": "Reverse template.",
            "routeRegexp.varsN": "Variable names.",
            "routeRegexp.varsR": "Variable regexps (validators).",
            "routeRegexp.wildcardHostPort": "Wildcard host-port (no strict port match in hostname)",
            "routeRegexp.Match": "Match matches the regexp against the URL host or path.",
        },
        bases={},
        types={
            "routeRegexpOptions.strictSlash": "bool",
            "routeRegexpOptions.useEncodedPath": "bool",
            "regexpTypePath": "regexpType",
            "regexpTypeHost": "regexpType",
            "regexpTypePrefix": "regexpType",
            "regexpTypeQuery": "regexpType",
            "routeRegexp.template": "string",
            "routeRegexp.regexpType": "regexpType",
            "routeRegexp.options": "routeRegexpOptions",
            "routeRegexp.regexp": "*regexp.Regexp",
            "routeRegexp.reverse": "string",
            "routeRegexp.varsN": "[]string",
            "routeRegexp.varsR": "[]*regexp.Regexp",
            "routeRegexp.wildcardHostPort": "bool",
            "routeRegexp.Match": "bool",
        },
        parameters={
            "routeRegexp.Match": (
                ("r", "*routeRegexp"),
                ("req", "*http.Request"),
                ("match", "*RouteMatch"),
            ),
        },
        references={
            "EscapedPath": (1, 0, 0),
            "MatchString": (2, 0, 0),
            "Path": (0, 1, 0),
            "Regexp": (0, 0, 2),
            "URL": (0, 2, 0),
            "getHost": (1, 0, 0),
            "regexpType": (0, 2, 5),
            "routeRegexpOptions": (0, 0, 1),
            "string": (0, 0, 3),
        },
    )
