import { recordOf } from '../local/dynamodb/stream-log.ts';
import { inEvent, type StreamRecord } from '../local/event-sources/stream-client.ts';
import { failedItems } from '../local/functions/result.ts';
import type { Choice, Outcome } from './choices.ts';
import { type Ended, scheduledEvent } from './events.ts';
import type { Runnable, Source } from './functions.ts';
import type { OutsideState } from './outside/state.ts';
import type { Change, Rows } from './rows.ts';
import type { FaultName } from './scenario.ts';

/** How streams, queues and schedules invoke their functions, as Lambda's event source mappings and EventBridge do. */

export type SourceState = {
  readonly source: Source;
  readonly actor: string;
  cursor: number;
  /** The places of the last batch that was consumed. */
  last: readonly number[];
  running: number;
  attempts: number;
  delivered: number;
  /** How often a schedule may still run. */
  fires: number;
};

/** What a delivery needs of the schedule. */
export type Scene = {
  readonly now: () => number;
  readonly pass: (now: number) => void;
  readonly rows: Rows;
  readonly outside: OutsideState;
  readonly deadLetters: { from: string; body: string }[];
  readonly fault: (name: FaultName, act: Outcome['act'], variant?: string) => Outcome[];
  readonly invoke: (actor: string, id: string, fn: Runnable, event: unknown, finish: (ended: Ended) => void) => void;
};

/** How long a message is hidden after a failure: the stack's queues have six minutes. */
const visibilityMs = 360_000;
const region = 'eu-central-1';

/** @param at a time from now on: messages that are visible then count */
export function deliverChoice(scene: Scene, state: SourceState, at: number): Choice | null {
  const { stream, queue } = state.source;
  if (stream) return streamChoice(scene, state, stream);
  return queue ? queueChoice(scene, state, queue, at) : null;
}

type Stream = NonNullable<Source['stream']>;

/** The places of the changes that were not consumed. */
function waitingIn({ rows }: Scene, { cursor }: SourceState, { table }: Stream): number[] {
  const { changes } = rows;
  const waiting: number[] = [];
  for (let index = cursor; index < changes.length; index += 1) if (changes[index]?.table === table) waiting.push(index);
  return waiting;
}

function streamChoice(scene: Scene, state: SourceState, stream: Stream): Choice | null {
  if (state.running > 0) return null;
  const waiting = waitingIn(scene, state, stream);
  if (waiting.length === 0) return null;
  const { actor, last } = state;
  const batch = waiting.slice(0, stream.batchSize);
  const deliver = (places: readonly number[]) => () => deliverChanges(scene, state, stream, places);
  return {
    ...ofStream(state, stream),
    kind: 'deliver',
    describe: () => `${actor} gets ${batch.length} of ${waiting.length} changes of ${stream.table}`,
    outcomes: () => [
      { name: 'done', fault: null, act: deliver(batch) },
      ...(batch.length > 1 ? [{ name: 'one', fault: null, act: deliver(batch.slice(0, 1)) }] : []),
      ...(last.length > 0 ? scene.fault('twice', deliver([...last, ...batch].slice(0, stream.batchSize))) : []),
    ],
  };
}

/** The last batch once more, where nothing else waits: Lambda may invoke a function twice with the same records. */
export function redeliveryChoice(scene: Scene, state: SourceState): Choice | null {
  const { stream } = state.source;
  const { actor, last } = state;
  if (!stream || state.running > 0 || last.length === 0 || waitingIn(scene, state, stream).length > 0) return null;
  const outcomes = scene.fault('twice', () => deliverChanges(scene, state, stream, last));
  if (outcomes.length === 0) return null;
  return {
    ...ofStream(state, stream),
    kind: 'optional',
    describe: () => `${actor} gets the last ${last.length} changes of ${stream.table} again`,
    outcomes: () => outcomes,
  };
}

function ofStream({ actor, delivered, source }: SourceState, { table }: Stream) {
  return {
    id: `${actor}/deliver ${delivered + 1}`,
    actor,
    accesses: [{ place: table, writes: false }],
    label: `${source.fn.id} takes ${table}`,
  };
}

function deliverChanges(scene: Scene, state: SourceState, stream: Stream, places: readonly number[]): void {
  const { actor, source } = state;
  state.running += 1;
  state.delivered += 1;
  const Records = recordsOf(scene.rows.changes, stream, places);
  scene.invoke(actor, `${actor}/${state.delivered}`, source.fn, { Records }, (ended) => {
    state.running -= 1;
    const failed = failedIn(ended, Records);
    const next = (places.at(-1) ?? 0) + 1;
    if (failed === null) {
      state.last = places;
      state.cursor = Math.max(state.cursor, next);
      state.attempts = 0;
      return;
    }
    state.cursor = places[failed] ?? state.cursor;
    state.attempts = failed > 0 ? 1 : state.attempts + 1;
    if (state.attempts <= stream.retries) return;
    scene.deadLetters.push({ from: actor, body: JSON.stringify(Records.slice(failed)) });
    state.cursor = next;
    state.attempts = 0;
  });
}

function recordsOf(changes: readonly Change[], { table }: Stream, places: readonly number[]) {
  const arn = `arn:aws:dynamodb:${region}:000000000000:table/${table}/stream/1`;
  return places.flatMap((place) => {
    const change = changes[place];
    if (!change) return [];
    const record = recordOf({ arn, viewType: 'NEW_AND_OLD_IMAGES' }, change.number, change.entry, region);
    return [inEvent(record as StreamRecord, arn)];
  });
}

/** The index of the first record that was not consumed; null if all were. */
function failedIn(ended: Ended, records: readonly Record<string, unknown>[]): number | null {
  if (ended.how !== 'answered') return 0;
  const failed = failedItems(ended.value);
  if (failed.length === 0) return null;
  const index = records.findIndex(
    (record) => (record.dynamodb as { SequenceNumber: string }).SequenceNumber === failed[0],
  );
  return Math.max(index, 0);
}

type Queue = NonNullable<Source['queue']>;

function queueChoice(scene: Scene, state: SourceState, queue: Queue, at: number): Choice | null {
  if (state.running >= 2) return null;
  const visible = (scene.outside.queues[queue.name] ?? []).filter(({ visibleAt }) => visibleAt <= at);
  const [first] = visible;
  const last = visible.at(-1);
  if (!first || !last) return null;
  const deliver = (message: typeof first, isKept: boolean) => () => {
    scene.pass(Math.max(scene.now(), at));
    deliverMessage(scene, state, queue, message, isKept);
  };
  return {
    id: `${state.actor}/message ${state.delivered + 1}`,
    actor: besideIn(state, 0),
    kind: 'deliver',
    accesses: [{ place: `queue ${queue.name}`, writes: true }],
    label: `${state.source.fn.id} takes ${queue.name}`,
    describe: () => `${state.actor} gets one of ${visible.length} messages of ${queue.name}`,
    outcomes: () => [
      { name: 'done', fault: null, act: deliver(first, false) },
      ...(visible.length > 1 ? [{ name: 'another', fault: null, act: deliver(last, false) }] : []),
      ...scene.fault('twice', deliver(first, true)),
    ],
  };
}

/** The function of a queue runs for two messages at once at most; the second one has a name of its own. */
function besideIn({ actor, running }: SourceState, most: number): string {
  return running > most ? `${actor} beside it` : actor;
}

/** @param isKept the message comes again, although it was consumed */
function deliverMessage(
  scene: Scene,
  state: SourceState,
  queue: Queue,
  message: OutsideState['queues'][string][number],
  isKept: boolean,
): void {
  const { queues } = scene.outside;
  state.running += 1;
  state.delivered += 1;
  const left = () => (queues[queue.name] ?? []).filter(({ id }) => id !== message.id);
  queues[queue.name] = left();
  const receives = message.receives + 1;
  const Records = [
    {
      messageId: message.id,
      receiptHandle: `${message.id}-${receives}`,
      body: message.body,
      attributes: { ApproximateReceiveCount: String(receives), SentTimestamp: String(scene.now()) },
      messageAttributes: {},
      eventSource: 'aws:sqs',
    },
  ];
  const actor = besideIn(state, 1);
  scene.invoke(actor, `${actor}/${state.delivered}`, state.source.fn, { Records }, (ended) => {
    state.running -= 1;
    const isDone = ended.how === 'answered' && failedItems(ended.value).length === 0;
    if (isDone && !isKept) return;
    if (!isDone && receives >= queue.maxReceives) {
      scene.deadLetters.push({ from: queue.name, body: message.body });
      return;
    }
    const visibleAt = isDone ? scene.now() : scene.now() + visibilityMs;
    queues[queue.name] = [...left(), { ...message, receives, visibleAt }];
  });
}

/** A schedule that runs among the clients' calls; null where it may not. */
export function fireChoice(scene: Scene, state: SourceState): Choice | null {
  const { actor, source, fires, running } = state;
  if (!source.everySeconds || fires <= 0 || running > 0) return null;
  return {
    id: `${actor}/fires ${fires}`,
    actor,
    kind: 'optional',
    accesses: [],
    label: `${source.fn.id} fires`,
    describe: () => `${actor} runs by its schedule`,
    outcomes: () => [
      { name: 'done', fault: null, act: () => fire(scene, state, actor) },
      // EventBridge may send an event twice, and a run may last longer than its interval.
      ...scene.fault(
        'twice',
        () => {
          fire(scene, state, actor);
          state.fires += 1;
          fire(scene, state, `${actor} beside it`);
        },
        'at-once',
      ),
    ],
  };
}

function fire(scene: Scene, state: SourceState, actor: string): void {
  state.fires -= 1;
  state.running += 1;
  // Each run has random numbers of its own, also one that Lambda tries again.
  state.delivered += 1;
  scene.invoke(actor, `${actor}/run ${state.delivered}`, state.source.fn, scheduledEvent(scene.now()), (ended) => {
    state.running -= 1;
    // Lambda tries an event of a schedule again.
    if (ended.how !== 'answered' && state.attempts < 2) {
      state.attempts += 1;
      state.fires += 1;
    }
  });
}
