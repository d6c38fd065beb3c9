import { html } from 'hono/html';
import { clockOf, dayMinutes } from './dates.ts';
import type { EntryContent } from './entry-content.ts';
import { type Measurement, missingOf } from './measurements.ts';
import type { Spread } from './moments.ts';
import { efficiencies, type Night } from './night.ts';
import { formatsIn, type Label, labelIn } from './report-texts.ts';
import type { WindowStatus } from './standing.ts';
import type { Summary } from './summary.ts';
import type { Suspension } from './suspension.ts';
import { type Language, type Reason, reasonIn, reasonsOf } from './texts.ts';
import type { SleepWindow } from './window.ts';
import { minuteOf } from './zone.ts';

/**
 * The page that a physician prints for a visit: one HTML document that loads nothing else. All text that people wrote
 * is escaped. Its content security policy allows no script and no request.
 */

export type Report = {
  readonly userId: string;
  readonly from: string;
  readonly to: string;
  /** The date of the report. */
  readonly on: string;
  readonly entries: readonly { readonly date: string; readonly content: EntryContent; readonly night: Night }[];
  readonly summary: Summary;
  readonly window: SleepWindow | null;
  readonly status: WindowStatus;
  readonly suspended: readonly Suspension[];
  readonly measurements: readonly Measurement[];
};

type Say = {
  readonly label: (label: Label) => string;
  readonly number: (value: number | null) => string;
  readonly date: (date: string) => string;
  readonly reason: ReturnType<typeof reasonIn>;
  readonly reasons: (window: SleepWindow) => readonly Reason[];
};

export function reportPage(report: Report, language: Language): string {
  const say: Say = {
    label: labelIn(language),
    reason: reasonIn(language),
    reasons: (window) => reasonsOf(window, language),
    ...formatsIn(language),
  };
  const { label, date } = say;
  const title = `${label('title')} ${date(report.from)} – ${date(report.to)}`;
  return String(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${label('title')}</h1>
<p>${label('patient')}: ${report.userId} · ${label('period')}: ${date(report.from)} – ${date(report.to)} · ${label('printed')}: ${date(report.on)}</p>
<p class="small">${label('source')}</p>
<section><h2>${label('window')}</h2>${windowPart(report, say)}</section>
<section><h2>${label('summary')}</h2>${summaryPart(report.summary, say)}</section>
<section><h2>${label('diary')}</h2>${diaryPart(report, say)}</section>
</body>
</html>
`);
}

const style = html`
@page { size: A4 landscape; margin: 12mm; }
body { font: 10pt/1.35 system-ui, sans-serif; color: #111; margin: 1.5rem; }
h1 { font-size: 16pt; margin: 0; } h2 { font-size: 12pt; margin: 1.2em 0 0.3em; }
table { border-collapse: collapse; } thead { display: table-header-group; } tr { break-inside: avoid; }
th, td { border-bottom: 1px solid #bbb; padding: 2px 6px; text-align: right; vertical-align: top; white-space: nowrap; }
th:first-child, td:first-child, td.text, th.text { text-align: left; } td.text { white-space: pre-wrap; min-width: 12em; overflow-wrap: anywhere; }
.small { color: #444; font-size: 9pt; } .held { font-weight: bold; }
svg { display: block; } .bed { fill: #b9c9de; } .asleep { fill: #24446e; } .frame { fill: none; stroke: #999; }
`;

function windowPart({ window, status, suspended, measurements }: Report, { label, date, reason, reasons }: Say) {
  const said = [
    ...(status === 'ended' ? [label('ended')] : []),
    ...suspended.map((code) => `${label('suspended')}: ${reason(code).text}`),
    ...missingOf(measurements).map((questionnaireId) => `${label('notAnswered')}: ${questionnaireId}`),
  ];
  const held = said.map((text) => html`<p class="held">${text}</p>`);
  if (!window) return html`${held}<p>${label('noWindow')}</p>`;
  const because = reasons(window).map(({ text }) => html`<li>${text}</li>`);
  const { bedTime, risingTime, minutes, from, ruleVersion } = window;
  const since = `${label('since')} ${date(from)}, ${label('rules')} ${ruleVersion}`;
  return html`${held}<p><strong>${bedTime} – ${risingTime}</strong> (${minutes} ${label('minutes')}), ${since}</p><ul>${because}</ul>`;
}

function summaryPart(summary: Summary, { label, number }: Say) {
  const spread = (name: Label, { mean, standardDeviation }: Spread) =>
    row(name, number(mean), number(standardDeviation));
  const row = (name: Label, mean: string, deviation = '') =>
    html`<tr><td>${label(name)}</td><td>${mean}</td><td>${deviation}</td></tr>`;
  const { midSleep, device } = summary;
  return html`<table><thead><tr><th></th><th>${label('mean')}</th><th>${label('deviation')}</th></tr></thead><tbody>${[
    row('nights', number(summary.nights)),
    row('nightsWithoutSleep', number(summary.nightsWithoutSleep)),
    spread('timeInBed', summary.timeInBedMinutes),
    spread('totalSleep', summary.totalSleepMinutes),
    spread('totalSleep24h', summary.totalSleep24hMinutes),
    spread('sleepOnset', summary.sleepOnsetMinutes),
    spread('wake', summary.wakeMinutes),
    spread('efficiency', summary.efficiencyPercent),
    spread('episodeEfficiency', summary.episodeEfficiencyPercent),
    row('midSleep', midSleep.mean ?? '–', number(midSleep.standardDeviationMinutes)),
    spread('quality', summary.quality),
    row('regularity', number(summary.regularity.index)),
    ...(device.nights > 0 ? [spread('device', device.asleepMinutes)] : []),
  ]}</tbody></table>`;
}

const columns = [
  'date',
  'night',
  'inBed',
  'lightsOff',
  'sleepOnset',
  'awakenings',
  'wake',
  'finalWake',
  'tryingAfterWake',
  'outOfBed',
  'timeInBed',
  'totalSleep',
  'efficiency',
  'shortQuality',
] as const satisfies readonly Label[];

/** The names of the figures without their abbreviations. */
const short: Partial<Readonly<Record<Label, string>>> = {
  sleepOnset: 'SOL',
  wake: 'WASO',
  tryingAfterWake: 'TASAFA',
  timeInBed: 'TIB',
  totalSleep: 'TST',
  efficiency: 'TST / TIB, %',
};

function diaryPart({ entries }: Report, say: Say) {
  const { label } = say;
  if (entries.length === 0) return html`<p>${label('noEntries')}</p>`;
  const heads = columns.map((name) => html`<th>${short[name] ?? label(name)}</th>`);
  const rows = entries.map((entry, at) => [at > 0 && '\n', nightRow(entry, say)]);
  const table = html`<table><thead><tr>${heads}<th class="text">${label('notes')}</th></tr></thead><tbody>${rows}</tbody></table>`;
  return html`${table}<p class="small">${label('night')}: ${label('legend')}</p>`;
}

function nightRow({ date, content, night }: Report['entries'][number], say: Say) {
  const { number } = say;
  const clock = (at: string | null) => (at === null ? '–' : clockOf(minuteOf(date, Date.parse(at), content.zone)));
  const cells = [
    say.date(date),
    nightBar({ date, content, night }),
    clock(content.inBedAt),
    content.slept ? clock(content.lightsOffAt) : say.label('withoutSleep'),
    number(night.sleepOnset),
    number(content.awakenings),
    number(night.wake),
    clock(content.finalWakeAt),
    number(content.tryingToSleepAfterWakeMinutes),
    clock(content.outOfBedAt),
    number(night.timeInBed),
    number(night.totalSleep),
    number(efficiencies(night).byTimeInBed / 100),
    number(content.quality),
  ];
  const remarks = remarksOf({ content, night }, say).join('\n');
  return html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}<td class="text">${remarks}</td></tr>`;
}

function remarksOf(
  { content, night }: Pick<Report['entries'][number], 'content' | 'night'>,
  { label, number }: Say,
): string[] {
  const { naps, medication, alcohol, caffeine, notes, noddedOff } = content;
  const times = night.naps.map(([from, to]) => `${clockOf(from)}–${clockOf(to)}`).join(', ');
  const taken = (medication ?? []).map(({ name, dose }) => (dose ? `${name} (${dose})` : name));
  return [
    ...(naps && naps.count > 0 ? [`${label('naps')}: ${times || naps.count}, ${naps.minutes} min`] : []),
    ...(taken.length > 0 ? [`${label('medication')}: ${taken.join(', ')}`] : []),
    ...(alcohol && alcohol.drinks > 0 ? [`${label('alcohol')}: ${number(alcohol.drinks)}`] : []),
    ...(caffeine && caffeine.drinks > 0 ? [`${label('caffeine')}: ${number(caffeine.drinks)}`] : []),
    ...(noddedOff ? [label('noddedOff')] : []),
    ...(notes ? [notes] : []),
  ];
}

/** The axis goes from noon to noon, with one pixel for six minutes. */
function nightBar({ date, content, night }: Report['entries'][number]) {
  const [width, perPixel] = [240, 6];
  const place = (minute: number) => Math.min(width, Math.max(0, Math.round((minute + dayMinutes / 2) / perPixel)));
  const bar = (name: string, from: number | null, to: number | null) => {
    if (from === null || to === null) return '';
    return html`<rect class="${name}" x="${place(from)}" y="1" width="${Math.max(0, place(to) - place(from))}" height="10"/>`;
  };
  const inBed = content.inBedAt === null ? null : minuteOf(date, Date.parse(content.inBedAt), content.zone);
  const bars = [bar('bed', inBed, night.riseMinute), bar('asleep', night.onsetMinute, night.wakeMinute)];
  return html`<svg width="${width}" height="12" aria-hidden="true"><rect class="frame" x="0.5" y="0.5" width="${width - 1}" height="11"/>${bars}</svg>`;
}
