-module(uts).
-export([main/0]).

%% As in problem.hpp: the sample trees by name, and their published counts of nodes, leaves and levels.
sample("T1") -> {tree(geometric, fixed, 4, 10, 19), {4130071, 3305118, 10}};
sample("T2") -> {tree(geometric, cyclic, 6, 16, 502), {4117769, 2342762, 81}};
sample("T3") -> {(tree(binomial, fixed, 2000, 10, 42))#{nonleaf_chance := 0.124875, nonleaf_children := 8}, {4112897, 3599034, 1572}};
sample("T4") -> {(tree(hybrid, linear, 6, 16, 1))#{nonleaf_chance := 0.234375, nonleaf_children := 4}, {4132453, 3108986, 134}};
sample("T5") -> {tree(geometric, linear, 4, 20, 34), {4147582, 2181318, 20}};
sample(_) -> refused.

tree(Kind, Shape, RootBranching, DepthLimit, Seed) ->
    #{kind => Kind, shape => Shape, root_branching => RootBranching, depth_limit => DepthLimit, seed => Seed, nonleaf_chance => 0.0, nonleaf_children => 0}.

root(#{seed := Seed}) -> crypto:hash(sha, <<0:128, Seed:32>>).

child(State, Index) -> crypto:hash(sha, <<State/binary, Index:32>>).

%% A number in [0, 1) that belongs to the node.
chance(<<_:129, Word:31>>) -> Word / 2147483648.

mean_branching(#{root_branching := Branching}, 0) -> Branching;
mean_branching(#{shape := cyclic, depth_limit := Limit}, Depth) when Depth > 5 * Limit -> 0;
mean_branching(#{shape := cyclic, root_branching := Branching, depth_limit := Limit}, Depth) ->
    math:pow(Branching, math:sin(2 * math:pi() * Depth / Limit));
mean_branching(#{shape := fixed, root_branching := Branching, depth_limit := Limit}, Depth) when Depth < Limit -> Branching;
mean_branching(#{shape := fixed}, _) -> 0;
mean_branching(#{root_branching := Branching, depth_limit := Limit}, Depth) -> Branching * (1 - Depth / Limit).

child_count(#{kind := Kind, depth_limit := Limit} = Tree, State, Depth) when Kind =:= geometric; Kind =:= hybrid, Depth < 0.5 * Limit ->
    geometric_children(1 + mean_branching(Tree, Depth), State);
child_count(#{root_branching := Branching}, _, 0) -> Branching;
child_count(#{nonleaf_chance := Chance, nonleaf_children := Children}, State, _) ->
    case chance(State) < Chance of
        true -> Children;
        false -> 0
    end.

geometric_children(1, _) -> 0;
geometric_children(Branching, State) -> min(100, floor(math:log(1 - chance(State)) / math:log(1 - 1 / Branching))).

%% A process for every child but the last, which is counted here.
count(Tree, State, Depth) ->
    case child_count(Tree, State, Depth) of
        0 -> {1, 1, Depth};
        Children ->
            Below = [contender:fork(fun() -> count(Tree, child(State, I), Depth + 1) end) || I <- lists:seq(0, Children - 2)],
            Last = count(Tree, child(State, Children - 1), Depth + 1),
            lists:foldl(fun(Each, Sum) -> plus(contender:join(Each), Sum) end, plus({1, 0, Depth}, Last), Below)
    end.

plus({Nodes, Leaves, Depth}, {OtherNodes, OtherLeaves, OtherDepth}) -> {Nodes + OtherNodes, Leaves + OtherLeaves, max(Depth, OtherDepth)}.

prepare(_, Variant) ->
    case sample(Variant) of
        refused -> refused;
        {Given, Published} ->
            persistent_term:put(tree, Given),  % which a process does not copy
            Tree = persistent_term:get(tree),
            fun() ->
                {Seconds, Counted} = contender:timed(fun() -> count(Tree, root(Tree), 0) end),
                {Seconds, Counted =:= Published}
            end
    end.

main() -> contender:main_of_samples("uts", 0, "T1", fun prepare/2).
