import { station } from './station.ts';
import { both, end, entitle, newWalk, remind, type Walk, type Walks } from './walk.ts';

/** Three reasons for a reminder within a week: two messages are sent, and the third waits. */

const prescribed = 'sleep-start: phq-9 gad-7 isi ess until 2026-10-31';
const guided = (until: string) => `self-guided-start: phq-9 isi ess until ${until}`;

const isAsked = (walks: Walks, walk: Walk, due: string[], ...until: string[]) =>
  station(walks, walk, (says) => ({
    ...{ status: 'none', waitingFor: says.noDiary, diary: 'missing', release: [says.byPhysician], due },
    messages: until.map((date) => says.start(date)),
  }));

export const reminded = {
  /** Day 8: a first code. */
  once: async (walks: Walks): Promise<Walk> => {
    const walk = await newWalk(walks);
    await both(walk, (walker) => entitle(walks, walker, 'insomnia-basic'));
    await remind(walks);
    await isAsked(walks, walk, [prescribed], '2026-10-31');
    return walk;
  },
  /** Day 9: a code of the other programme. */
  twice: async (walks: Walks, walk: Walk) => {
    await both(walk, (walker) => entitle(walks, walker, 'insomnia-self-guided'));
    await remind(walks);
    await isAsked(walks, walk, [prescribed, guided('2026-11-01')], '2026-11-01');
  },
  /** Day 12: that one was ended, and another one takes its place. */
  noThird: async (walks: Walks, walk: Walk) => {
    await both(walk, async (walker) => {
      await end(walker, 'insomnia-self-guided');
      await entitle(walks, walker, 'insomnia-self-guided');
    });
    await remind(walks);
    await isAsked(walks, walk, [prescribed, guided('2026-11-04')]);
  },
  /** Day 15: a week after the first message. */
  later: (walks: Walks, walk: Walk) => isAsked(walks, walk, [prescribed, guided('2026-11-04')], '2026-11-04'),
};
