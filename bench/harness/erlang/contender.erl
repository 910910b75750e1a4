%% What contender.hpp is to the C++ contenders: reads the request, times the repeats, prints one JSON line for each.
-module(contender).
-export([main/4, main_of_samples/4, timed/1, fork/1, join/1]).

%% Calls Compute(Size) as often as asked. Expected(Size) is the right result, or the atom `refused` where the size makes no sense.
main(Problem, DefaultSize, Compute, Expected) ->
    main_of_samples(Problem, DefaultSize, "", fun(Size, _) ->
        case Expected(Size) of
            refused -> refused;
            Right -> fun() -> {Seconds, Result} = timed(fun() -> Compute(Size) end), {Seconds, Result =:= Right} end
        end
    end).

%% Prepare(Size, Variant) gives what takes a sample, {Seconds, whether it is right}; or `refused`.
main_of_samples(Problem, DefaultSize, DefaultVariant, Prepare) ->
    Known = #{"--workers" => 1, "--repeat" => 1, "--size" => DefaultSize, "--case" => DefaultVariant},
    #{"--size" := Size, "--case" := Variant, "--repeat" := Repeat} = options(init:get_plain_arguments(), Known),
    Take = Prepare(Size, Variant),
    AllCorrect = Take =/= refused andalso lists:all(fun(Correct) -> Correct end, [report(Problem, Size, Take()) || _ <- lists:seq(1, Repeat)]),
    halt(case AllCorrect of true -> 0; false -> 1 end).

options(["--case", Variant | Rest], Known) -> options(Rest, Known#{"--case" := Variant});
options([Name, Value | Rest], Known) -> options(Rest, Known#{Name := list_to_integer(Value)});
options([], Known) -> Known.

%% The seconds that F takes, and its result.
timed(F) ->
    Start = erlang:monotonic_time(nanosecond),
    Result = F(),
    {(erlang:monotonic_time(nanosecond) - Start) * 1.0e-9, Result}.

report(Problem, Size, {Seconds, Correct}) ->
    io:format("{\"problem\":\"~s\",\"peer\":\"erlang\",\"workers\":~b,\"size\":~b,\"seconds\":~e,\"correct\":~s,\"peak_rss_kib\":~b}~n",
              [Problem, erlang:system_info(schedulers_online), Size, Seconds, Correct, peak_rss_kib()]),
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
