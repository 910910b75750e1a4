%% The numbers of filch::base::split_mix64: all contenders get the same input.
-module(split_mix).
-export([numbers/1]).

-define(WORD(X), ((X) band 16#ffffffffffffffff)).

%% So many, from the seed 1.
numbers(Count) -> numbers(Count, 1).

numbers(0, _) -> [];
numbers(Count, State) ->
    Next = ?WORD(State + 16#9e3779b97f4a7c15),
    Z1 = ?WORD((Next bxor (Next bsr 30)) * 16#bf58476d1ce4e5b9),
    Z2 = ?WORD((Z1 bxor (Z1 bsr 27)) * 16#94d049bb133111eb),
    [Z2 bxor (Z2 bsr 31) | numbers(Count - 1, Next)].
