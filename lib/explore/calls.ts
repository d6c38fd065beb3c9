import { isFailure } from '../local/dynamodb/failures.ts';
import type { Choice, Outcome } from './choices.ts';
import type { Asked } from './clients.ts';
import type { Environment, Invocation } from './environment.ts';
import { type Ended, invokeOutput } from './events.ts';
import type { Ground } from './ground.ts';
import { type Access, accessesOf, textHash } from './order.ts';
import { answerOutside, placeOutside } from './outside/services.ts';
import { OutsideFailure } from './outside/state.ts';
import { type SdkErrors, sdkErrors } from './sdk-errors.ts';
import { described, tablesOf } from './story.ts';
import { changedUnseen, noteSeen } from './unseen-writes.ts';

/** The calls of functions that wait for the scheduler, and what becomes of each. */

type Pending = {
  readonly id: string;
  readonly environment: Environment;
  readonly invocation: Invocation;
  readonly asked: Asked;
  readonly attempt: number;
  readonly accesses: readonly Access[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** Invokes the function that a call names, and says what became of it. */
export type Invoke = (
  by: { readonly actor: string; readonly id: string },
  name: string,
  event: unknown,
  finish: (ended: Ended) => void,
) => void;

type Answered = { readonly value: unknown } | { readonly error: unknown };
/** How a read differs from the usual one. */
type Change = { readonly asOf?: number; readonly limit?: number };

export class Calls {
  readonly #ground: Ground;
  readonly #errors: SdkErrors;
  readonly #kill: (environment: Environment) => void;
  readonly #invoke: Invoke;
  /** Those that wait for a function that they have invoked. */
  readonly #invoking = new Set<Pending>();
  #pending: Pending[] = [];

  constructor(ground: Ground, kill: (environment: Environment) => void, invoke: Invoke) {
    this.#invoke = invoke;
    this.#ground = ground;
    this.#errors = sdkErrors(ground.platform.modules.native);
    this.#kill = kill;
  }

  /** Whether one of its calls has no answer yet. */
  areOpenOf(environment: Environment): boolean {
    return [...this.#pending, ...this.#invoking].some((each) => each.environment === environment);
  }

  get pending(): readonly Pending[] {
    return this.#pending;
  }

  ask(environment: Environment, asked: Asked): Promise<unknown> {
    const { invocation } = environment;
    return new Promise((resolve, reject) => {
      // Nobody hears the answer of a dead environment.
      if (environment.isDead || !invocation) return;
      invocation.asked += 1;
      const id = `${invocation.actor}>${invocation.asked}`;
      const accesses =
        asked.service === 'dynamodb'
          ? accessesOf(asked.action, asked.input, this.#ground.keys)
          : [placeOutside(asked.service, asked.action, asked.input)].filter((each) => each !== null);
      this.#pending.push({ id, environment, invocation, asked, attempt: 1, accesses, resolve, reject });
    });
  }

  forget(environment: Environment): void {
    this.#pending = this.#pending.filter((each) => each.environment !== environment);
    for (const each of this.#invoking) if (each.environment === environment) this.#invoking.delete(each);
  }

  choices(): Choice[] {
    return this.#pending.map((pending) => this.#choice(pending));
  }

  /** Does a call without a schedule. */
  async atOnce(service: string, action: string, input: Record<string, unknown>): Promise<unknown> {
    const answered = await this.#answerTo({ service, action, input });
    if ('error' in answered) throw answered.error;
    return answered.value;
  }

  #choice(pending: Pending): Choice {
    const { id, invocation, asked, accesses } = pending;
    const { service, action } = asked;
    const isDynamo = service === 'dynamodb';
    const place = isDynamo ? tablesOf(accesses) : (accesses[0]?.place ?? service);
    return {
      id,
      actor: invocation.actor,
      kind: 'call',
      accesses,
      label: `${invocation.fn.id} ${action} ${place}`,
      describe: () =>
        `${invocation.actor} ${invocation.fn.id}: ${action} ${isDynamo ? accesses.map(described).join(', ') : place}`,
      outcomes: () => this.#outcomes(pending),
    };
  }

  #outcomes(pending: Pending): Outcome[] {
    const { environment, asked } = pending;
    const ground = this.#ground;
    const conflict = ground.mayFault('conflict') ? this.#errors.conflict(asked) : undefined;
    return [
      { name: 'done', fault: null, act: () => this.#perform(pending) },
      ...this.#staleOutcomes(pending),
      ...ground.fault('lost', async () => {
        const answered = await this.#outcomeOf(pending);
        this.#retry(pending, 'error' in answered ? answered.error : this.#errors.timeOut());
      }),
      ...ground.fault('throttled', () => this.#retry(pending, this.#errors.throttling(asked))),
      ...ground.fault('refused', () => this.#settle(pending, { error: this.#errors.throttling(asked) })),
      ...(conflict === undefined ? [] : ground.fault('conflict', () => this.#settle(pending, { error: conflict }))),
      ...ground.fault('time-out', () => {
        ground.now += asked.limitMs;
        this.#retry(pending, this.#errors.timeOut());
      }),
      ...ground.fault('dies-before', () => this.#kill(environment)),
      ...ground.fault('dies-after', async () => {
        await this.#outcomeOf(pending);
        this.#kill(environment);
      }),
      ...(isPaged(asked) ? ground.fault('short-page', () => this.#perform(pending, { limit: 1 })) : []),
    ];
  }

  /** An eventually consistent read answers the state before, or the oldest one. */
  #staleOutcomes(pending: Pending): Outcome[] {
    const ground = this.#ground;
    const tables = new Set(pending.accesses.map(({ place }) => place));
    const earlier = isLoose(pending.asked) ? ground.rows.earlier([...tables]) : [];
    const [last] = earlier;
    const oldest = earlier.at(-1);
    if (last === undefined || oldest === undefined) return [];
    return [
      ...ground.fault('stale', () => this.#perform(pending, { asOf: last })),
      ...(earlier.length > 1 ? ground.fault('stale', () => this.#perform(pending, { asOf: oldest }), 'oldest') : []),
    ];
  }

  /** What a call does whose answer nobody gets. A function that it invokes goes on. */
  async #outcomeOf(pending: Pending): Promise<Answered> {
    if (pending.asked.service !== 'lambda') return this.#answerTo(pending.asked, {}, pending.invocation);
    this.#invokeFor(pending, () => undefined);
    return { value: null };
  }

  #invokeFor({ asked: { input }, invocation, id, attempt }: Pending, finish: (ended: Ended) => void): void {
    const event: unknown = JSON.parse(Buffer.from((input.Payload ?? '') as string).toString('utf8'));
    const by = {
      actor: attempt === 1 ? id : `${id}.${attempt}`,
      id: `${invocation.id} ${id}.${attempt}`,
    };
    this.#invoke(by, String(input.FunctionName), event, finish);
  }

  async #perform(pending: Pending, change: Change = {}): Promise<void> {
    if (pending.asked.service === 'lambda') {
      this.#pending = this.#pending.filter((each) => each !== pending);
      this.#invoking.add(pending);
      this.#invokeFor(pending, (ended) => {
        // Nobody hears the answer of a caller that has ended.
        if (this.#invoking.delete(pending)) this.#settle(pending, { value: invokeOutput(ended) });
      });
      return;
    }
    const answered = await this.#answerTo(pending.asked, change, pending.invocation);
    const { service, action, input } = pending.asked;
    if (service === 'dynamodb' && 'value' in answered)
      noteSeen(pending.invocation.rows, this.#ground.rows, { action, input, output: answered.value }, change);
    this.#settle(pending, answered);
  }

  async #answerTo(
    { service, action, input }: Pick<Asked, 'service' | 'action' | 'input'>,
    { asOf, limit }: Change = {},
    invocation?: Invocation,
  ): Promise<Answered> {
    const { rows, outside, now } = this.#ground;
    try {
      if (service !== 'dynamodb') return { value: answerOutside(outside, service, action, input, now) };
      const from = rows.written.length;
      const value = await rows.execute(action, limit === undefined ? input : { ...input, Limit: limit }, asOf);
      if (invocation && rows.written.length > from)
        for (const each of changedUnseen(invocation.rows, rows, action, input, rows.written.slice(from)))
          this.#ground.unseen.add(`${invocation.fn.id} ${each}`);
      return { value };
    } catch (error) {
      if (isFailure(error)) return { error: this.#errors.ofDynamo(error) };
      if (error instanceof OutsideFailure) return { error: this.#errors.ofOutside(service, error) };
      this.#ground.fail(error);
      return { error };
    }
  }

  #settle(pending: Pending, answered: Answered): void {
    this.#pending = this.#pending.filter((each) => each !== pending);
    const { invocation, id } = pending;
    if (this.#ground.isExhaustive) invocation.seen = (invocation.seen + textHash(`${id} ${seenIn(answered)}`)) >>> 0;
    if ('error' in answered) pending.reject(answered.error);
    else pending.resolve(answered.value);
  }

  /** The SDK tries again, or gives the error to the function. */
  #retry(pending: Pending, error: unknown): void {
    const { name, $fault } = error as { name?: string; $fault?: string };
    const isRetried =
      /Throttl|TooManyRequests|ProvisionedThroughput|TimeoutError|RequestLimit/.test(name ?? '') || $fault === 'server';
    if (!isRetried || pending.attempt >= pending.asked.maxAttempts) {
      this.#settle(pending, { error });
      return;
    }
    this.#pending = this.#pending.map((each) =>
      each === pending ? { ...pending, attempt: pending.attempt + 1 } : each,
    );
  }
}

/** Whether a read may answer an earlier state. */
function isLoose({ service, action, input }: Asked): boolean {
  if (service !== 'dynamodb') return false;
  if (/^(GetItem|Query|Scan)$/.test(action)) return input.ConsistentRead !== true;
  if (action !== 'BatchGetItem') return false;
  return Object.values((input.RequestItems ?? {}) as Record<string, { ConsistentRead?: boolean }>).some(
    ({ ConsistentRead }) => !ConsistentRead,
  );
}

function isPaged({ service, action, input }: Asked): boolean {
  return /^(Query|Scan)$/.test(action) && service === 'dynamodb' && input.Limit !== 1;
}

function seenIn(answered: Answered): string {
  return 'error' in answered ? String((answered.error as Error)?.name) : JSON.stringify(answered.value);
}
