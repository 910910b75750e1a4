-module(nqueens).
-export([main/0]).

%% The rows of the queens placed so far, the last first.
is_safe(_, _, []) -> true;
is_safe(Row, Distance, [Other | Rest]) ->
    Other =/= Row andalso Other =/= Row - Distance andalso Other =/= Row + Distance andalso is_safe(Row, Distance + 1, Rest).

%% One process for every safe row.
count(N, N, _) -> 1;
count(N, Columns, Rows) ->
    Below = [contender:fork(fun() -> count(N, Columns + 1, [Row | Rows]) end) || Row <- lists:seq(1, N), is_safe(Row, 1, Rows)],
    lists:sum([contender:join(Each) || Each <- Below]).

%% As in problem.hpp: OEIS A000170.
published() -> [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624].

main() -> contender:main("nqueens", 10, fun(N) -> count(N, 0, []) end, fun(N) -> lists:nth(N + 1, published()) end).
