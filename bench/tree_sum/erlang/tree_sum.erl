-module(tree_sum).
-export([main/0]).

%% A tree is {Value, Left, Right} or the atom `none`. Sums need no end at 64 bits here: the expected one has none either.
sum({Value, none, none}) -> Value;
sum({Value, none, Right}) -> Value + sum(Right);
sum({Value, Left, none}) -> Value + sum(Left);
sum({Value, Left, Right}) ->
    Other = contender:fork(fun() -> sum(Left) end),
    Here = sum(Right),
    Value + contender:join(Other) + Here.

%% As balanced as can be, in the order of the walk; and the values that are left.
link(Values, 0) -> {none, Values};
link([Value | Rest], Count) ->
    LeftCount = Count div 2,
    {Left, AfterLeft} = link(Rest, LeftCount),
    {Right, After} = link(AfterLeft, Count - 1 - LeftCount),
    {{Value, Left, Right}, After}.

insert(Value, none) -> {Value, none, none};
insert(Value, {Root, Left, Right}) when Value < Root -> {Root, insert(Value, Left), Right};
insert(Value, {Root, Left, Right}) -> {Root, Left, insert(Value, Right)}.

grown(Values) -> lists:foldl(fun insert/2, none, Values).

balanced(Values) -> element(1, link(Values, length(Values))).

%% As in problem.hpp: the median of three averages, or where spaced of a hundred sums after a millisecond of sleep each. The averages are over
%% a hundredth of the sums, as each takes a thousand times as long.
prepare(Size, "balanced") -> prepare(Size, fun balanced/1, 3, 1 + 20000 div Size, 0);
prepare(Size, "grown") -> prepare(Size, fun grown/1, 3, 1 + 20000 div Size, 0);
prepare(Size, "balanced-spaced") -> prepare(Size, fun balanced/1, 100, 1, 1);
prepare(Size, "grown-spaced") -> prepare(Size, fun grown/1, 100, 1, 1);
prepare(_, _) -> refused.

prepare(Size, Shape, Clocks, Calls, Sleep) ->
    Values = split_mix:numbers(Size),
    Expected = lists:sum(Values),
    persistent_term:put(tree, Shape(Values)),  % which a process does not copy
    fun() ->
        Found = [sample(persistent_term:get(tree), Calls, Sleep) || _ <- lists:seq(1, Clocks)],
        {Seconds, _} = lists:nth(Clocks div 2 + 1, lists:sort(Found)),
        {Seconds, lists:all(fun({_, Result}) -> Result =:= Expected end, Found)}
    end.

%% The seconds of a sum, on average over so many, and what it gave.
sample(Tree, Calls, Sleep) ->
    timer:sleep(Sleep),
    {Seconds, Result} = contender:timed(fun() -> repeat(Tree, Calls) end),
    {Seconds / Calls, Result}.

repeat(Tree, 1) -> sum(Tree);
repeat(Tree, Calls) ->
    sum(Tree),
    repeat(Tree, Calls - 1).

main() -> contender:main_of_samples("tree_sum", 1000, "balanced", fun prepare/2).
