import { questionNamed } from '../../functions/analytics/questions.ts';
import type { Answers } from '../analytics/engine.ts';
import { loadTool } from '../tools.ts';
import type { Plots } from './drawing.ts';
import { consentPoints, figuresOf, leastPeople, momentsOf } from './figures.ts';
import { reportPage } from './page.ts';

export type Report = {
  readonly page: string;
  /** Whether all plots are empty. */
  readonly isEmpty: boolean;
};

/** Makes the report from an export, with the same questions that researchers ask. @param until the time of the last count of consents */
export async function makeReport({ ask }: Answers, until: Date, source: string): Promise<Report> {
  const [first] = await ask({ sql: 'SELECT MIN(recorded_at) AS first_at FROM consent_records' });
  const firstAt = first?.first_at ? new Date(`${String(first.first_at).replace(' ', 'T')}Z`) : until;
  const consents = [];
  for (const at of momentsOf(firstAt, until)) {
    const moment = at.toISOString().slice(0, 19).replace('T', ' ');
    consents.push({ at, rows: await ask(questionNamed('active-consents'), [moment]) });
  }
  const figures = figuresOf(consentPoints(consents), {
    adherence: await ask(questionNamed('adherence')),
    scores: await ask(questionNamed('scores')),
    versions: await ask(questionNamed('app-versions')),
  });
  const { drawingsOf } = await loadTool<Plots>(new URL('../tools/analytics/plots.ts', import.meta.url));
  const drawings = drawingsOf(figures);
  const page = reportPage(drawings, { source, leftOut: figures.leftOut, leastPeople });
  return { page, isEmpty: drawings.every(({ table }) => table.rows.length === 0) };
}
