import { expect } from 'vitest';
import { eventually } from '../../eventually.ts';
import { type Language, type Says, says } from './says.ts';
import { both, type Walk, type Walker, type Walks } from './walk.ts';

/** What a patient and the staff see at a station of a walk. */

type Task = { readonly kind: string; readonly text: string; readonly questionnaireIds: readonly string[] };

/** All of it is compared; what is left out must not be there. */
type Expected = {
  readonly status: 'none' | 'active' | 'measurement-due' | 'suspended' | 'ended';
  /** When to go to bed and to get up tonight. */
  readonly times?: readonly [inBedAt: string, outOfBedAt: string];
  /** What `tonight` says besides the times, or instead of them. */
  readonly text?: string;
  /** The texts of what has suspended the window. */
  readonly because?: readonly string[];
  /** The text of what the next window waits for. */
  readonly waitingFor?: string;
  /** The texts of who releases the next window, or of what is needed first. Compared only if they are named. */
  readonly release?: readonly string[];
  /** What the home screen asks for the window. */
  readonly tasks?: readonly Task[];
  /** The diary of this morning on the home screen; null: nobody asks for it. */
  readonly diary?: 'written' | 'missing' | null;
  /** The questionnaires of the home screen, as `bundle: questionnaires until day`. */
  readonly due?: readonly string[];
  /** The messages since the last station. */
  readonly messages?: readonly string[];
  /** The sites whose staff has an urgent ticket of this patient on its list. Clinical safety gets it an hour later. */
  readonly tickets?: readonly (string | null)[];
};

export const task = (kind: string, text: string, ...questionnaireIds: string[]): Task => ({
  ...{ kind, text, questionnaireIds },
});

async function asked(by: Walker['person'], path: string, headers: Walker['headers'] | object = {}) {
  const { status, body } = await by.ask('GET', path, { headers: { ...headers } });
  expect(status).toBe(200);
  return body;
}

type Message = { readonly messageId: string; readonly body: string };

async function newMessages({ person, known }: Walker): Promise<string[]> {
  const { items }: { items: Message[] } = await asked(person, '/agent-board/messages?limit=100');
  const fresh = items.filter(({ messageId }) => !known.has(messageId));
  for (const { messageId } of fresh) known.add(messageId);
  return fresh.map(({ body }) => body).toReversed();
}

type Due = { readonly bundleId: string; readonly until: string; readonly questionnaireIds: readonly string[] };

async function seenBy(walker: Walker) {
  const { person, headers } = walker;
  const [window, home, messages] = await Promise.all([
    asked(person, '/sleep/window', headers),
    asked(person, '/users/me/programme', headers),
    newMessages(walker),
  ]);
  const { tonight } = window;
  return {
    status: window.status,
    tonight: tonight && [tonight.inBedAt, tonight.outOfBedAt, tonight.text],
    because: window.suspendedBecause.map(({ text }: { text: string }) => text),
    waitingFor: window.next.waitingFor?.text ?? null,
    release: window.release.because.map(({ text }: { text: string }) => text),
    home: home.window && [home.window.status, ...home.window.tasks],
    diary: home.diary?.status ?? null,
    due: home.questionnaires.map(
      ({ bundleId, until, questionnaireIds }: Due) => `${bundleId}: ${questionnaireIds.join(' ')} until ${until}`,
    ),
    messages,
  };
}

function wanted({ status, times, text, tasks = [], ...more }: Expected) {
  const hasNoWindow = status === 'none';
  return {
    status,
    tonight: hasNoWindow && text === undefined ? null : [...(times ?? [null, null]), text ?? null],
    because: more.because ?? [],
    waitingFor: more.waitingFor ?? null,
    release: more.release ?? expect.any(Array),
    home: hasNoWindow && tasks.length === 0 ? null : [status, ...tasks],
    diary: more.diary === undefined ? 'written' : more.diary,
    due: more.due ?? [],
    messages: more.messages ?? [],
  };
}

type Tickets = { readonly ofSafety: (string | null)[]; readonly ofSite: (string | null)[] };

/** The sites of the open urgent tickets of each: on the list of clinical safety, and of the physicians of the site. */
async function ticketsOf({ safety, doctor }: Walks, walk: Walk): Promise<Record<Language, Tickets>> {
  type Ticket = { readonly userId: string; readonly siteId: string | null };
  const [ofSafety, ofSite]: [Ticket[], Ticket[]] = await Promise.all([
    asked(safety, '/crm/urgent-tickets?limit=100').then(({ items }) => items),
    asked(doctor, '/crm/site-urgent-tickets?limit=100').then(({ items }) => items),
  ]);
  const of = ({ person }: Walker, items: Ticket[]) =>
    items.flatMap(({ userId, siteId }) => (userId === person.user ? [siteId] : []));
  const both = (walker: Walker) => ({ ofSafety: of(walker, ofSafety), ofSite: of(walker, ofSite) });
  return { de: both(walk.de), en: both(walk.en) };
}

/** Compares all of it, in both languages: `tonight`, the texts, the home screen, the messages and the ticket. */
export async function station(walks: Walks, walk: Walk, expected: (texts: Says) => Expected): Promise<void> {
  await both(walk, async (walker) => {
    const seen = await seenBy(walker);
    expect({ language: walker.language, ...seen }).toEqual({
      ...{ language: walker.language, ...wanted(expected(says[walker.language])) },
    });
    const shown = JSON.stringify([seen.tonight?.[2], seen.because, seen.home]);
    for (const score of walker.scores) expect(shown).not.toMatch(new RegExp(`\\b${score}\\b`));
  });
  const { tickets = [] } = expected(says.en);
  const lists = { ofSafety: [], ofSite: tickets };
  // A stream opens tickets and closes them.
  await eventually(async () => expect(await ticketsOf(walks, walk)).toEqual({ de: lists, en: lists }));
}
