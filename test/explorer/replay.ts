import { setTimeout } from 'node:timers/promises';
import type { Taken } from '../../lib/explore/choices.ts';
import { insisting } from '../../lib/explore/insisting.ts';
import type { Violation } from '../../lib/explore/run.ts';
import type { Answer, Call, Client, End, Invariant, Person, Scenario } from '../../lib/explore/scenario.ts';
import type { Fault } from '../../lib/local/dynamodb/front.ts';
import { hangMs } from '../hang.ts';
import { type Held, holdCall, isCalled, isReading, type Open, passes } from './held-calls.ts';
import { NotReplayable } from './not-replayable.ts';
import { openReplayStage } from './replay-stage.ts';

/**
 * A violation's story on the real stage: functions are processes, clients speak HTTP, and the stage's DynamoDB holds each call of
 * a client's function until its turn. What consumers do is left to the stage.
 */

const faults: Readonly<Record<string, Fault>> = {
  lost: 'lose-response',
  throttled: 'throttle',
  conflict: 'conflict',
  'time-out': 'hang',
};
const quietMs = 30;

/**
 * Users have other ids on the stage, so a promise about hashes of them cannot be judged there.
 *
 * @returns how the promise breaks on the stage, or null where it holds there
 * @throws NotReplayable
 */
export async function replayed(scenario: Scenario, violation: Violation): Promise<string | null> {
  const { promise, steps = violation.taken } = violation;
  const holds = scenario.invariants[promise];
  if (!holds) throw new NotReplayable(`it is a promise of the explorer itself: ${promise}`);
  const replay = await openReplay(scenario);
  try {
    await scenario.setUp?.(replay.setUp);
    await replay.begin();
    for (const [index, step] of steps.entries()) await replay.take(step, steps.slice(index + 1));
    await replay.rest();
    return await judged(holds, await replay.end());
  } finally {
    await replay.close();
  }
}

async function judged(holds: Invariant, end: End): Promise<string | null> {
  try {
    await holds(end);
    return null;
  } catch (error) {
    if (error instanceof NotReplayable) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

type Start = { readonly accessKeyId: string; readonly userId: string; readonly go: () => void };

async function openReplay(scenario: Scenario) {
  const open = new Map<string, Open>();
  const starts = new Map<string, Start>();
  const calls: Call[] = [];
  const unanswered = new Set<string>();
  let [number, moved, isHeld, last, clientsOpen, failure] = [0, '', false, '', 0, undefined as unknown];
  let changed = Promise.withResolvers<void>();
  const wake = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const stage = await openReplayStage(scenario, (call, tables) => {
    const held = isHeld ? holdCall(open, moved, call, tables) : undefined;
    if (held) wake();
    return held;
  });

  function clientOf(name: string, person: Person): Client {
    const call: Client['call'] = async (operation, request = {}) => {
      const accessKeyId = stage.accessKeyOf(person, operation);
      await new Promise<void>((go) => {
        starts.set(name, { accessKeyId, userId: stage.idOf(person), go });
        wake();
      });
      const begun = number;
      const heard = await stage.send(person, operation, request);
      last = `${name} got ${heard.status} ${JSON.stringify(heard.body)}`;
      const answer: Answer = unanswered.delete(name) ? { status: 0, body: {}, etag: null } : heard;
      open.delete(name);
      calls.push({ client: name, operation, request, answer, begun, ended: number });
      wake();
      return answer;
    };
    const mails = () => {
      throw new NotReplayable('a client reads mails');
    };
    return { call, insist: insisting(call), put: stage.put, mails };
  }

  async function until(what: string, isSo: () => boolean): Promise<void> {
    const late = AbortSignal.timeout(hangMs);
    while (!isSo()) {
      if (failure !== undefined) throw failure;
      if (late.aborted) {
        const waits = [...open].map(
          ([name, { held }]) => `${name} waits with ${held.map(({ action, tables: at }) => `${action} ${at}`)}`,
        );

        const answered = last && `; ${last}`;
        throw new NotReplayable(`the stage goes another way: ${what} does not come; ${waits.join(', ')}${answered}`);
      }
      const { promise } = changed;
      await Promise.race([promise, new Promise((resolve) => late.addEventListener('abort', resolve, { once: true }))]);
    }
  }

  /** Its next calls wait, or it was answered. Calls that a function makes at once come within milliseconds. */
  async function settled(name: string, what: string): Promise<void> {
    await until(`what follows ${what}`, () => (open.get(name)?.held.length ?? 1) > 0);
    await setTimeout(quietMs);
  }

  function start(name: string): void {
    const waiting = starts.get(name);
    if (!waiting) return;
    starts.delete(name);
    open.set(name, { accessKeyId: waiting.accessKeyId, userId: waiting.userId, held: [] });
    waiting.go();
  }

  /** @param after the steps that follow */
  async function release(name: string, { outcome, label = '' }: Taken, after: readonly Taken[]): Promise<boolean> {
    const isRead = isReading(label.split(' ')[1] ?? '');
    if (outcome !== 'done' && !faults[outcome]) throw new NotReplayable(`the stage has no outcome "${outcome}"`);
    const isIt = (held: Held) => isCalled(label, held);
    const own = after.filter((each) => each.id.startsWith(`${name}>`) || each.id.startsWith(`${name}/`));
    const restart = own.findIndex((each) => each.id.startsWith(`${name}/`));
    const later = restart < 0 ? own : own.slice(0, restart);
    const isKnown = (held: Held) => later.some((each) => isCalled(each.label ?? '', held));
    await until(`${name}: ${label}`, () => {
      const { held } = open.get(name) ?? {};
      return held === undefined || passes(held, isIt, isKnown) || (isRead && held.length > 0);
    });
    const held = open.get(name)?.held ?? [];
    const found = held.findIndex(isIt);
    // A process reads at another place what the explorer's has read at its start, or knows it still.
    if (found < 0 && isRead) return false;
    if (found < 0) throw new NotReplayable(`the stage goes another way: ${name} was answered before ${label}`);
    held.splice(found, 1)[0]?.release(faults[outcome]);
    return true;
  }

  return {
    setUp: stage.setUp,
    begin: async () => {
      await stage.begin();
      isHeld = true;
      for (const [name, { as, does }] of Object.entries(scenario.clients)) {
        clientsOpen += 1;
        does(clientOf(name, as))
          .catch((error: unknown) => {
            failure = error;
          })
          .finally(() => {
            clientsOpen -= 1;
            wake();
          });
      }
    },
    take: async (step: Taken, after: readonly Taken[]) => {
      number += 1;
      const { id, outcome, label = '' } = step;
      const [, name = '', sign] = /^(.+)([/>])\d+$/.exec(id) ?? [];
      if (!(name in scenario.clients)) return;
      if (sign === '/') {
        moved = name;
        await until(`${name}: ${label}`, () => starts.has(name));
        if (outcome === 'unheard') unanswered.add(name);
        start(name);
      } else {
        // The stage holds only what goes to a table.
        if (!/^(Get|Put|Update|Delete)Item$|^(Query|Scan)$|^Transact|^Batch/.test(label.split(' ')[1] ?? '')) return;
        moved = name;
        if (!(await release(name, step, after))) return;
      }
      await settled(name, label);
      await stage.look(number);
    },
    /** Lets everything go on, until nothing is under way. */
    rest: async () => {
      isHeld = false;
      await until('the end of the clients', () => {
        for (const { held } of open.values()) for (const each of held.splice(0)) each.release(undefined);
        for (const name of [...starts.keys()]) start(name);
        return clientsOpen === 0;
      });
      await stage.rest();
      number += 1;
      await stage.look(number);
    },
    end: (): Promise<End> => stage.end(calls),
    close: stage.close,
  };
}
