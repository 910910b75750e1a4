-module(skynet).
-export([main/0]).

skynet(First, 1) -> First;
skynet(First, Leaves) ->
    Share = Leaves div 10,
    Below = [contender:fork(fun() -> skynet(First + K * Share, Share) end) || K <- lists:seq(0, 9)],
    lists:sum([contender:join(Each) || Each <- Below]).

is_full_tree(1) -> true;
is_full_tree(Leaves) -> Leaves > 0 andalso Leaves rem 10 =:= 0 andalso is_full_tree(Leaves div 10).

expected(Leaves) ->
    case is_full_tree(Leaves) of
        true -> Leaves * (Leaves - 1) div 2;
        false -> refused
    end.

main() -> contender:main("skynet", 100000, fun(Leaves) -> skynet(0, Leaves) end, fun expected/1).
