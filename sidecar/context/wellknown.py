"""Names of types and methods that mean nearly the same wherever they are used.

They stand in libraries that no index has seen, so that only their names tell what they do. Data
only; must never do anything. May import nothing of sidecar.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "AWAITED",
    "BUILT_IN",
    "CASTS",
    "CONTAINERS",
    "ELEMENT_METHODS",
    "INSTANCE_METHODS",
    "MAPPINGS",
    "OTHER_METHODS",
    "QUERY_FUNCTIONS",
    "SAME_METHODS",
    "SAME_TYPES",
    "SELF_NAMES",
    "SELF_TYPES",
    "SUPER_NAMES",
]

#: What an object calls itself; and what stands for its class.
SELF_NAMES: Final = frozenset({"self", "this", "$this", "cls", "Self", "static"})
SUPER_NAMES: Final = frozenset({"super", "parent", "base"})
#: Types that are the type of the object whose method says so.
SELF_TYPES: Final = frozenset({"Self", "self", "static", "this", "$this", "instancetype"})

#: Types around another one whose members are mostly wanted at once, or after a method that says
#: nothing of it.
SAME_TYPES: Final = frozenset(
    """Optional Option Maybe Nullable Annotated Final ClassVar Required NotRequired ReadOnly
    Readonly Partial DeepPartial NonNullable Unpack InitVar Type type Class KClass Box Rc Arc
    Cow RefCell Cell Mutex RwLock Ref RefMut Pin Weak Lazy lazy Result Either Union unique_ptr
    shared_ptr weak_ptr optional reference_wrapper atomic Mapped ForeignKey OneToOneField
    WeakReference AtomicReference Supplier Provider MutableLiveData LiveData StateFlow
    MutableStateFlow Binding Published State ComputedRef Depends Proxy Reference Writable
    """.split()
)
SAME_METHODS: Final = frozenset(
    """unwrap expect unwrap_or unwrap_or_default unwrap_or_else clone copy as_ref as_mut borrow
    borrow_mut lock read write get get_mut value Value orElse orElseThrow orElseGet orElseNull
    or_else ok_or ok_or_else ok context with_context to_owned into deref tap also apply refresh
    reload or_default cloned freeze dup upgrade getOrNull getOrThrow getOrElse GetAwaiter
    GetResult Result ConfigureAwait current
    """.split()
)
#: Types that give another one when they are awaited.
AWAITED: Final = frozenset(
    """Promise PromiseLike Awaitable Coroutine Future Task ValueTask Deferred CompletableFuture
    CompletionStage Mono Single Maybe JoinHandle BoxFuture Observable
    """.split()
)
#: Types that hold many of another one.
CONTAINERS: Final = frozenset(
    """list List tuple Tuple set Set frozenset FrozenSet deque Deque Sequence MutableSequence
    Iterable Iterator Collection AbstractSet MutableSet Generator AsyncIterable AsyncIterator
    AsyncGenerator AbstractList Array ReadonlyArray ReadonlySet Vec VecDeque HashSet BTreeSet
    LinkedList slice Slice IntoIterator ArrayList Stream Queue Stack Flux Flow IEnumerable
    IQueryable IList ICollection IReadOnlyList IReadOnlyCollection IAsyncEnumerable ISet DbSet
    MutableList MutableCollection ContiguousArray ArraySlice vector array span QuerySet Query
    Page Results BaseQuery RelatedManager Manager EntityRepository SplObjectStorage Relation
    QueryList Select Observable Paginator LazyCollection iterator iterable Enumerable
    """.split()
)
#: Types that hold values by key; the value's type is the last argument.
MAPPINGS: Final = frozenset(
    """map Map dict Dict defaultdict DefaultDict OrderedDict Mapping MutableMapping ChainMap Record
    ReadonlyMap WeakMap HashMap BTreeMap TreeMap LinkedHashMap ConcurrentHashMap ConcurrentMap
    Dictionary IDictionary IReadOnlyDictionary ConcurrentDictionary SortedDictionary MutableMap
    unordered_map multimap IndexMap DashMap Hash
    """.split()
)
#: Methods that give one of what a container holds, or what a mapping has for a key.
ELEMENT_METHODS: Final = frozenset(
    """first last get pop popleft find single at head peek poll element elementAt next remove take
    one one_or_none firstOrNull lastOrNull singleOrNull getOrNull get_mut first_mut last_mut
    findFirst findLast findAny shift front back random sample min max First FirstOrDefault Last
    LastOrDefault Single SingleOrDefault ElementAt Find FirstAsync FirstOrDefaultAsync
    SingleOrDefaultAsync SingleAsync FindAsync randomElement popLast removeFirst removeLast
    setdefault get_or_create getOrDefault computeIfAbsent latest earliest aget afirst pop_front
    pop_back top Peek Dequeue Pop getValue entry detect min_by max_by
    """.split()
)
#: Methods of containers that give something else than they hold.
OTHER_METHODS: Final = frozenset(
    """map flatMap flat_map Select SelectMany reduce fold keys entries join count Count len length
    size mapNotNull filter_map compactMap groupBy group_by GroupBy zip enumerate keySet entrySet
    index indexOf includes contains Any All some every collect_vec mapTo mapToObj associateBy
    withIndex any all isEmpty is_empty
    """.split()
)
#: Methods of a class, of what manages its objects or of a query for them, that give one object.
INSTANCE_METHODS: Final = ELEMENT_METHODS | frozenset(
    """create create! build new find find! find_by find_by! find_one find_or_create_by
    find_or_initialize_by get_or_create update_or_create get_by_id get_or_404 first! last! take!
    first_or_404 one_or_404 first_or_create acreate alast alatest aearliest aget_or_create
    aupdate_or_create scalar scalar_one scalar_one_or_none findOne findById findByPk findUnique
    findUniqueOrThrow findFirstOrThrow findOneBy findOneByOrFail findOneOrFail findOrFail
    firstOrFail firstOrCreate firstOrNew updateOrCreate findOrCreate findByIdAndUpdate
    findOneAndUpdate upsert getOne getById getReference getReferenceById save default from of
    instance getInstance get_instance sharedInstance shared from_dict from_json from_str
    from_orm fromJson fromJSON parse parse_obj model_validate model_construct make create_new
    findOneById Create New Parse Default get_object_or_404 cast getBean merge from_row try_from
    Instance valueOf
    """.split()
)
#: Functions that give one object of the class that is their first argument.
CASTS: Final = INSTANCE_METHODS | frozenset(
    """ForeignKey OneToOneField ParentalKey relationship aget_object_or_404 get_or_none cast inject
    resolve getService make_shared GetService GetRequiredService plainToInstance plainToClass
    viewModel readValue deserialize fromJson find_or_404
    """.split()
)
#: Functions that give a query for objects of the class that is their first argument.
QUERY_FUNCTIONS: Final = frozenset(
    """ManyToManyField query select scalars get_list_or_404 getRepository get_repository
    createQueryBuilder select_from exec getMongoRepository
    """.split()
)
#: Types that no workspace declares, asking for which takes long where functions are called so.
BUILT_IN: Final = frozenset(
    """str int float bool bytes complex object none string number boolean symbol bigint unknown
    never any void char short long double byte rune error uint int8 int16 int32 int64 uint8
    uint16 uint32 uint64 uintptr float32 float64 i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64
    isize usize size_t decimal dynamic sbyte ushort ulong nint mixed array iterable callable
    resource list dict set tuple type range slice Int Long Short Byte Double Float Boolean Bool
    String Char Character Integer Number Object Any Unit Nothing Void None
    """.split()
)
