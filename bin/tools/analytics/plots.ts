import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { Drawing, Plots } from '../../report/drawing.ts';
import type { Figures } from '../../report/figures.ts';
import { above, byVersion, labelled, otherVersions, plottedNames, shortened } from '../../report/names.ts';

/** Draws the plots as SVG, without a browser. Colours are variables of the page, which defines them for light and dark. */

const colours = ['var(--one)', 'var(--two)', 'var(--three)', 'var(--four)', 'var(--five)', 'var(--six)'];
const width = 880;

export const drawingsOf: Plots['drawingsOf'] = (figures) => [
  consents(figures),
  adherence(figures),
  scores(figures),
  versions(figures),
];

function consents({ consents: points }: Figures): Drawing {
  const agreements = distinct(points.map(({ agreement }) => agreement));
  const last = [...new Map(points.map((point) => [JSON.stringify([point.agreement, point.version]), point])).values()];
  const named = new Set(labelled(last));
  const svg = draw('Consents by version', 60 + 110 * agreements.length, {
    marginLeft: 60,
    marginRight: 190,
    marginTop: 44,
    x: { type: 'utc', label: 'Date (UTC)' },
    y: { label: 'People who agree', ticks: 4, grid: true },
    fy: { domain: agreements, label: null, axis: null, padding: 0.3 },
    color: { type: 'ordinal', domain: colours.map((_, place) => place), range: colours },
    marks: [
      Plot.areaY(points, { x: 'at', y: 'people', fy: 'agreement', fill: 'place', z: 'place', fillOpacity: 0.75 }),
      Plot.ruleY([0]),
      heading(agreements),
      Plot.text(
        last.filter(({ people }) => people > 0),
        Plot.stackY({
          x: 'at',
          y: 'people',
          fy: 'agreement',
          z: 'place',
          text: (d) => (named.has(d) ? `${shortened(d.version)} (${d.people})` : ''),
          textAnchor: 'start',
          dx: 6,
        }),
      ),
    ],
  });
  return {
    title: 'How many people agree, by version',
    description: `For each agreement the number of people who agree, week by week, one area for each version. At the end: ${listed(last.filter(({ people }) => people > 0).map(({ version, people }) => `${shortened(version)} ${people}`))}.`,
    svg,
    table: {
      columns: ['Date (UTC)', 'Agreement', 'Version', 'People'],
      rows: points.map(({ at, agreement, version, people }) => [dateOf(at), agreement, version, people]),
    },
  };
}

function adherence({ adherence: weeks }: Figures): Drawing {
  const svg = draw('Adherence', 300, {
    marginLeft: 60,
    x: { label: 'Week since the first consent', type: 'band' },
    y: { label: 'Nights with a diary entry (%)', domain: [0, 100], grid: true },
    marks: [
      Plot.barY(weeks, { x: 'week', y: 'percent', fill: 'var(--one)' }),
      Plot.text(weeks, { x: 'week', y: 'percent', text: (d) => `${Math.round(d.percent)} %`, dy: -8 }),
      Plot.ruleY([0]),
    ],
  });
  return {
    title: 'On how many nights people write their diary',
    description: `For each week, the share of nights with a diary entry. Counts everybody who began at least that many weeks ago, also people who have stopped. ${listed(weeks.map(({ week, percent }) => `Week ${week}: ${Math.round(percent)} %`))}.`,
    svg,
    table: {
      columns: ['Week', 'People', 'Nights with an entry (%)'],
      rows: weeks.map(({ week, people, percent }) => [week, people, rounded(percent)]),
    },
  };
}

/** Each score has its own scale, because scores have different points. */
function scores({ scores: points }: Figures): Drawing {
  const names = distinct(points.map(({ score }) => score));
  const lastWeek = Math.max(1, ...points.map(({ week }) => week));
  const svg = names.map((name) => {
    const its = points.filter(({ score }) => score === name);
    return draw(name, 160, {
      marginLeft: 60,
      marginRight: 40,
      x: { label: 'Week since the first consent', domain: [0, lastWeek], ticks: Math.min(lastWeek, 12) },
      y: { label: 'Mean (points)', ticks: 4, grid: true, zero: true, nice: true },
      marks: [
        Plot.areaY(its, {
          x: 'week',
          y1: (d) => Math.max(0, d.mean - d.deviation),
          y2: (d) => d.mean + d.deviation,
          fill: 'var(--one)',
          fillOpacity: 0.2,
        }),
        Plot.lineY(its, { x: 'week', y: 'mean', stroke: 'var(--one)', strokeWidth: 2 }),
        Plot.dot(its, { x: 'week', y: 'mean', fill: 'var(--one)', r: 4 }),
        Plot.ruleY([0]),
        Plot.text([shortened(name, above)], { text: (d) => d, frameAnchor: 'top', dy: -20, fontWeight: 'bold' }),
      ],
    });
  });
  return {
    title: 'How the scores develop',
    description: `The mean of each score by week since the first consent, in points of the questionnaire; the band is one standard deviation to each side. For WHO-5 more points are better, for the others fewer.`,
    svg: svg.join('\n'),
    table: {
      columns: ['Score', 'Week', 'Responses', 'Mean (points)', 'Standard deviation (points)'],
      rows: points.map(({ score, week, responses, mean, deviation }) => {
        return [score, week, responses, rounded(mean), rounded(deviation)];
      }),
    },
  };
}

function versions({ versions: points, earlierDevices }: Figures): Drawing {
  const nameOf = plottedNames(points, colours.length);
  // The other versions are last. The order is the same in every week.
  const names = [...new Set(nameOf.values())].toSorted(
    (one, other) => Number(one === otherVersions) - Number(other === otherVersions) || byVersion(one, other),
  );
  const named = points.map((point) => ({ ...point, name: nameOf.get(point.version) ?? otherVersions }));
  const svg = draw('Versions of the app', 310, {
    marginLeft: 60,
    marginBottom: 60,
    marginRight: 190,
    x: { type: 'utc', label: 'Week in which the device last registered', labelOffset: 50 },
    y: { label: 'Devices', grid: true },
    color: { type: 'ordinal', domain: names, range: colours },
    marks: [
      Plot.rectY(named, { x: 'week', interval: 'monday', y: 'devices', fill: 'name', order: names }),
      Plot.ruleY([0]),
      // The legend, each name in its colour.
      ...names.map((name, place) => {
        const dy = 18 * (place - (names.length - 1) / 2);
        return Plot.text([`■ ${name}`], { frameAnchor: 'right', textAnchor: 'start', fill: colours[place], dx: 8, dy });
      }),
    ],
  });
  const totals = names.map((name) => {
    const devices = named.filter((point) => point.name === name).reduce((sum, point) => sum + point.devices, 0);
    return `${name} on ${devices}`;
  });
  return {
    title: 'Which versions of the app are installed',
    description: `Devices by the week in which they last registered, one colour for each version. In total: ${listed(totals)}; ${earlierDevices} registered earlier.`,
    svg,
    table: {
      columns: ['Week', 'Version', 'Devices'],
      rows: points.map(({ week, version, devices }) => [dateOf(week), version, devices]),
    },
  };
}

function draw(name: string, height: number, options: Plot.PlotOptions): string {
  // This is harmless in an attribute of HTML, but other readers of SVG refuse it.
  const ariaLabel = name.replace(/[<>&]/g, ' ');
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const style = { background: 'none', color: 'currentColor', fontSize: '13px', overflow: 'visible' };
  const plot = Plot.plot({ document, width, height, marginTop: 28, marginBottom: 48, ariaLabel, style, ...options });
  plot.setAttribute('role', 'img');
  return plot.outerHTML;
}

/** Writes the name of each part above it. */
function heading(names: readonly string[]) {
  return Plot.text(names, {
    fy: (d) => d,
    text: (d) => shortened(d, above),
    frameAnchor: 'top-left',
    dy: -16,
    fontWeight: 'bold',
  });
}

function listed(texts: readonly string[]): string {
  return texts.length > 0 ? texts.join(', ') : 'nothing';
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted();
}

function dateOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
