-module(knapsack).
-export([main/0]).

%% As in problem.hpp: {Value, Weight}, the densest first, and room for half of their weight.
goods(Count) ->
    Weights = [1000 + Number rem 1000 || Number <- split_mix:numbers(Count)],
    {[{Weight + 100, Weight} || Weight <- lists:sort(Weights)], lists:sum(Weights) div 2}.

%% Searches what begins like this: with the next item here, and without it in a process.
search(_, Room, _, _) when Room < 0 -> ok;
search([], _, Value, Best) -> raise(Best, Value);
search([{Worth, Weight} | Rest], Room, Value, Best) ->
    case Value + Room * Worth div Weight =< atomics:get(Best, 1) of
        true -> ok;
        false ->
            raise(Best, Value),
            Without = contender:fork(fun() -> search(Rest, Room, Value, Best) end),
            search(Rest, Room - Weight, Value + Worth, Best),
            contender:join(Without)
    end.

raise(Best, Value) -> raise(Best, Value, atomics:get(Best, 1)).

raise(_, Value, Seen) when Seen >= Value -> ok;
raise(Best, Value, Seen) ->
    case atomics:compare_exchange(Best, 1, Seen, Value) of
        ok -> ok;
        Newer -> raise(Best, Value, Newer)
    end.

%% The best value by all loads that are worth more than any lighter one: {Weight, Value}, the lightest first.
by_loads([], _, Loads) -> element(2, lists:last(Loads));
by_loads([{Worth, Weight} | Rest], Room, Loads) ->
    With = [{W + Weight, V + Worth} || {W, V} <- Loads, W + Weight =< Room],
    by_loads(Rest, Room, undominated(lists:merge(Loads, With), -1)).

undominated([{_, Value} | Rest], Most) when Value =< Most -> undominated(Rest, Most);
undominated([{_, Value} = Load | Rest], _) -> [Load | undominated(Rest, Value)];
undominated([], _) -> [].

prepare(Count, _) ->
    {Items, Room} = goods(Count),
    Expected = by_loads(Items, Room, [{0, 0}]),
    persistent_term:put(items, Items),  % which a process does not copy
    fun() ->
        Best = atomics:new(1, []),
        {Seconds, ok} = contender:timed(fun() -> search(persistent_term:get(items), Room, 0, Best) end),
        {Seconds, atomics:get(Best, 1) =:= Expected}
    end.

main() -> contender:main_of_samples("knapsack", 24, "", fun prepare/2).
