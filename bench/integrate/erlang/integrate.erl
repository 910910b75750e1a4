-module(integrate).
-export([main/0]).

integrand(X) -> (X * X + 1) * X.

integrate(X1, Y1, X2, Y2, Area) ->
    Half = (X2 - X1) / 2,
    X0 = X1 + Half,
    Y0 = integrand(X0),
    Left = (Y1 + Y0) / 2 * Half,
    Right = (Y0 + Y2) / 2 * Half,
    case abs(Left + Right - Area) < 1.0e-9 of
        true -> Left + Right;
        false ->
            Other = contender:fork(fun() -> integrate(X1, Y1, X0, Y0, Left) end),
            Here = integrate(X0, Y0, X2, Y2, Right),
            contender:join(Other) + Here
    end.

prepare(Size, _) ->
    Upper = float(Size),
    Exact = Upper * Upper * Upper * Upper / 4 + Upper * Upper / 2,
    fun() ->
        {Seconds, Result} = contender:timed(fun() -> integrate(0.0, 0.0, Upper, integrand(Upper), 0.0) end),
        {Seconds, abs(Result - Exact) =< 1.0e-9 * max(Exact, 1.0)}
    end.

main() -> contender:main_of_samples("integrate", 10, "", fun prepare/2).
