"""Prints the figures of one run. Latencies are ratios to a raw pty echo plus one FULL commit of the same
run."""

import asyncio
import platform
import sys
import tempfile
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from benchmarks import command_line, jackpot, journal, link, loads, pages, reports, rules, turns, verify
from benchmarks.crowd import PAGES
from benchmarks.daemon import Daemon, measure
from benchmarks.latency import card_to_lamp
from benchmarks.processors import take_one
from benchmarks.yardstick import Yardstick, yardstick
from controller.demo.run import latency


def main() -> None:
    """Measures on one processor, which every child process inherits, and prints."""
    take_one()
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder, yardstick(Path(folder)) as measured:
        processor: list[float] = []
        times = asyncio.run(card_to_lamp(Path(folder), measured, processor=processor))
    Console().print(latency_figures(measured, times, processor, measure()))
    Console().print(turn_figures(turns.measure()))
    Console().print(load_figures(loads.measure()))
    Console().print(page_figures(pages.measure()))
    Console().print(jackpot_figures(jackpot.measure()))
    Console().print(link_figures(link.measure()))
    Console().print(rule_figures(rules.measure()))
    Console().print(journal_figures(journal.measure()))
    Console().print(verify_figures(verify.measure()))
    Console().print(report_figures(reports.measure()))
    Console().print(help_figures(command_line.measure()))


def interpreter() -> str:
    """The interpreter that runs the daemon and everything else here."""
    return f"Python {platform.python_version()}, {Path(sys.executable).resolve()}"


def latency_figures(
    yardstick: Yardstick, times: list[float], processor: list[float], daemon: Daemon
) -> Table:
    """The figures and their aims. Takes seconds."""
    echo, commit, lamp = median(yardstick.echoes), median(yardstick.commits), latency(times)
    memory = daemon.memory
    table = Table("figure", "measured", "aim", title="Tableside, one run, one processor")
    for row in (
        ("interpreter", interpreter(), ""),
        ("raw pty echo, 16 bytes, median", f"{echo * 1e6:.0f} us", ""),
        ("SQLite FULL commit, median", f"{commit * 1e6:.0f} us", ""),
        (f"card to lamp, p50 of {lamp.samples}", f"{lamp.p50} ms", ""),
        ("card to lamp, p99", f"{lamp.p99} ms", ""),
        ("card to lamp p50 / (echo + commit)", f"{median(times) / (echo + commit):.1f}", "under 3"),
        ("  the daemon's own processor time of them, p50", f"{median(processor) * 1e3:.2f} ms", ""),
        ("  Mission Pinball, switch to coil, no disk", "1.4", ""),
        ("start to ready, median", f"{daemon.start_to_ready:.2f} s", "under 1.5 s"),
        ("resident memory, highest", f"{memory.daemon:.0f} MB", "under 90 MB"),
        ("  with the web server", f"{memory.both:.0f} MB", "130 MB"),
        ("  what both share counted once", f"{memory.shared_once:.0f} MB", ""),
        ("idle, devices connected", f"{daemon.idle_cpu:.2%} of a core", "under 2 %"),
        ("rounds a second, simulated devices", f"{daemon.played.rounds / daemon.played.seconds:.1f}", ""),
    ):
        table.add_row(*row)
    return table


def turn_figures(measured: turns.TurnFigures) -> Table:
    longest, busiest = measured.longest[0], measured.busiest[0]
    title = f"Tableside, turns of the loop, {measured.played.rounds} rounds, files closed: {measured.closed}"
    table = Table("figure", "measured", "aim", title=title)
    for row in (
        ("the longest turn", f"{longest.took * 1e3:.0f} ms", "50 ms"),
        ("  processor time of it", f"{longest.worked * 1e3:.0f} ms", ""),
        ("  where it was after 20 ms", longest.where, ""),
        ("most processor time of one turn", f"{busiest.worked * 1e3:.0f} ms", "50 ms"),
    ):
        table.add_row(*row)
    return table


def load_figures(measured: loads.Loads) -> Table:
    """A column for each load."""
    figures = measured.figures
    title = (
        f"Tableside, under the loads of others: {measured.rounds} rounds, {measured.missing} lost; "
        f"the journal has {'exactly' if measured.cards_agree else 'NOT'} the cards that were dealt"
    )
    table = Table("figure", *figures, "aim", title=title)
    ratios = {name: measured.ratios(name) for name in figures}
    for figure, value, aim in (
        ("card to lamp p50 / (echo + commit)", lambda name: f"{figures[name].cost:.2f}", ""),
        ("  ratio to alone, median of the turns", lambda name: f"{median(ratios[name]):.2f}", "at most 1.1"),
        ("  least and most", lambda name: f"{min(ratios[name]):.2f}, {max(ratios[name]):.2f}", ""),
        ("card to lamp, p50", lambda name: f"{latency(figures[name].cards).p50} ms", ""),
        ("  p99", lambda name: f"{latency(figures[name].cards).p99} ms", ""),
        ("  the daemon's own time, p50", lambda name: f"{median(figures[name].processor) * 1e3:.2f} ms", ""),
    ):
        table.add_row(figure, *map(value, figures), aim)
    table.add_section()
    for count in dict.fromkeys(count for each in figures.values() for count in each.counts):
        shown = (str(each.counts[count]) if count in each.counts else "" for each in figures.values())
        table.add_row(count, *shown, "")
    return table


def page_figures(measured: pages.Pages) -> Table:
    keys = latency(measured.keys)
    table = Table("figure", "measured", "aim", title=f"Tableside, {PAGES} pages open, a scrape every second")
    for row in (
        (f"key to screen, p50 of {keys.samples}, in a browser", f"{keys.p50} ms", ""),
        ("  p99", f"{keys.p99} ms", "under 100 ms"),
        (
            f"a daemon that stands still, told on the page, the last of {len(measured.silences)}",
            f"{max(measured.silences):.1f} s",
            "under 3 s",
        ),
    ):
        table.add_row(*row)
    return table


def jackpot_figures(hits: list[float]) -> Table:
    table = Table("figure", "measured", "aim", title="Tableside, a jackpot, one processor")
    wanted = f"last 7 pulled to amount on the display, the last of {len(hits)}"
    table.add_row(wanted, f"{max(hits):.1f} s", "under 2 s")
    return table


def link_figures(measured: link.LinkCosts) -> Table:
    table = Table("figure", "measured", "aim", title="Tableside, a sealed link, one processor")
    line = measured.line
    for row in (
        (
            "card event, encoded, sealed, opened, decoded, median",
            f"{measured.card * 1e6:.0f} us",
            "under 60 us",
        ),
        ("raw pty echo, 16 bytes, median", f"{measured.echo * 1e6:.0f} us", ""),
        ("command and result on a pty, device in C, median", f"{measured.trip * 1e6:.0f} us", ""),
        ("command and result / echo", f"{measured.trip / measured.echo:.1f}", "at most 2"),
        ("events a second, 1 % of frames lost each way", f"{line.events / line.seconds:.0f}", "1,000"),
        ("  in its slowest second", f"{line.slowest_second}", ""),
        (
            "  stored to committed, p50, p99",
            f"{line.latency_p50 * 1e3:.1f}, {line.latency_p99 * 1e3:.0f} ms",
            "",
        ),
        ("  frames lost, sent again by the device", f"{line.lost_frames}, {line.sent_again}", ""),
        ("  processor: host, device", f"{measured.host_cpu:.0%}, {line.device_cpu:.0%}", ""),
    ):
        table.add_row(*row)
    return table


def rule_figures(measured: tuple[rules.Speeds, ...]) -> Table:
    table = Table(
        "game",
        "settled, rounds a second",
        "simulated, rounds a second",
        "by the kernel",
        "odds of all bets",
        title="Tableside, the rules alone, one processor",
    )
    for game in measured:
        table.add_row(
            game.game,
            f"{game.settled:,.0f}",
            f"{game.played:,.0f}",
            f"{game.kernel:,.0f}",
            f"{game.odds:.1f} s",
        )
    table.add_section()
    table.add_row("aim", "3,000", "5,000", "5,000,000", "under 20 s")
    table.add_row("gymnasium Blackjack-v1, no splits, no shoe", "", "30,000", "", "")
    return table


def journal_figures(measured: journal.JournalCosts) -> Table:
    table = Table("figure", "measured", "aim", title="Tableside, the journal, one processor")
    for row in (
        ("one event appended, on disk, median", f"{measured.append * 1e6:.0f} us", ""),
        ("bare SQLite FULL commit of as large a row, median", f"{measured.bare * 1e6:.0f} us", ""),
        ("  append / commit", f"{measured.append / measured.bare:.2f}", "at most 1.5"),
        ("  with a mirror, here on the same disk", f"{measured.mirrored / measured.bare:.2f}", ""),
        (
            f"start after {measured.events:,} events in {measured.files} files, "
            f"{measured.rows:,} rows, median",
            f"{measured.start:.2f} s",
            "under 2 s",
        ),
    ):
        table.add_row(*row)
    return table


def verify_figures(measured: verify.VerifySpeeds) -> Table:
    rows, rounds = f"{measured.rows:,}", f"{measured.rounds:,}"
    table = Table(
        f"rows a second, of {rows} rows with {rounds} rounds",
        "one processor",
        "two",
        "aim, with two",
        title="Tableside, tableside journal verify",
    )
    for name, one, two, aim in (
        ("chain, checkpoints, meters, money", measured.one, measured.two, "200,000"),
        ("  and every round settled again", measured.by_rules_one, measured.by_rules_two, ""),
    ):
        table.add_row(name, f"{one:,.0f}", f"{two:,.0f}", aim)
    return table


def report_figures(measured: reports.ReportCosts) -> Table:
    """A report, made by its own process. Takes seconds."""
    table = Table("figure", "measured", "aim", title="Tableside, a gaming day's report")
    for row in (
        (f"a day of {measured.rounds} rounds, from order to answer", f"{measured.day:.2f} s", "under 5 s"),
        ("the list of days", f"{measured.listed:.2f} s", "under 2 s"),
        ("what the daemon keeps of a report", f"{measured.kilobytes:.0f} kB", "under 200 kB"),
    ):
        table.add_row(*row)
    return table


def help_figures(measured: command_line.HelpTimes) -> Table:
    """The help of the command line. Takes seconds."""
    table = Table("figure", "measured", "aim", title="Tableside, help of the command line")
    for row in (
        ("tableside --help", f"{measured.overview:.2f} s", "under 0.3 s"),
        ("the help of a group, the slowest", f"{measured.group:.2f} s", "under 0.3 s"),
        (f"the slowest of a command: {measured.slowest}", f"{measured.command:.2f} s", "under 0.3 s"),
    ):
        table.add_row(*row)
    return table


if __name__ == "__main__":
    main()
