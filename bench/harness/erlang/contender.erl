%% What contender.hpp is to the C++ contenders: reads the request, times the repeats, prints one JSON line for each.
-module(contender).
-export([main/4, fork/1, join/1]).

%% Calls Compute(Size) as often as asked. Expected(Size) is the right result, or the atom `refused` where the size makes no sense.
main(Problem, DefaultSize, Compute, Expected) ->
    Options = options(init:get_plain_arguments(), #{"--workers" => 1, "--repeat" => 1, "--size" => DefaultSize}),
    Size = maps:get("--size", Options),
    Right = Expected(Size),
    Workers = erlang:system_info(schedulers_online),
    AllCorrect = Right =/= refused andalso lists:all(fun(Correct) -> Correct end,
        [sample(Problem, Workers, Size, Compute, Right) || _ <- lists:seq(1, maps:get("--repeat", Options))]),
    halt(case AllCorrect of true -> 0; false -> 1 end).

options([Name, Value | Rest], Known) -> options(Rest, Known#{Name := list_to_integer(Value)});
options([], Known) -> Known.

sample(Problem, Workers, Size, Compute, Right) ->
    Start = erlang:monotonic_time(nanosecond),
    Result = Compute(Size),
    Seconds = (erlang:monotonic_time(nanosecond) - Start) * 1.0e-9,
    Correct = Result =:= Right,
    io:format("{\"problem\":\"~s\",\"peer\":\"erlang\",\"workers\":~b,\"size\":~b,\"seconds\":~e,\"correct\":~s,\"peak_rss_kib\":~b}~n",
              [Problem, Workers, Size, Seconds, Correct, peak_rss_kib()]),
    Correct.

peak_rss_kib() ->
    {ok, Status} = file:read_file("/proc/self/status"),
    {match, [Kib]} = re:run(Status, "VmHWM:\\s*(\\d+)", [{capture, all_but_first, list}]),
    list_to_integer(Kib).

%% Runs F in a process of its own; join/1 waits for its result.
fork(F) ->
    Parent = self(),
    Tag = make_ref(),
    spawn_link(fun() -> Parent ! {Tag, F()} end),
    Tag.

join(Tag) ->
    receive {Tag, Result} -> Result end.
