-module(fib).
-export([main/0]).

fib(N) when N < 2 -> N;
fib(N) ->
    Left = contender:fork(fun() -> fib(N - 1) end),
    Right = fib(N - 2),
    contender:join(Left) + Right.

by_adding(0, Current, _) -> Current;
by_adding(N, Current, Next) -> by_adding(N - 1, Next, Current + Next).

main() -> contender:main("fib", 25, fun fib/1, fun(N) -> by_adding(N, 0, 1) end).
