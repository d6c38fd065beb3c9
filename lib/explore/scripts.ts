import type { Choice } from './choices.ts';
import type { Environments } from './environments.ts';
import { answerOf, type Ended, eventOf, nothing } from './events.ts';
import type { Ground } from './ground.ts';
import { insisting } from './insisting.ts';
import { type Access, accessesOf, textHash } from './order.ts';
import type { Answer, Call, Client, Person, Request, Row } from './scenario.ts';
import { codeOf, described, tablesOf } from './story.ts';

/** The clients' scripts: the calls that they want to make, and those that were answered. */

type Start = {
  readonly id: string;
  readonly client: string;
  readonly person: Person;
  readonly operation: string;
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
};

/** What a client does without a function. */
type Deed = {
  readonly id: string;
  readonly client: string;
  readonly does: string;
  readonly accesses: readonly Access[];
  readonly isPossible: () => boolean;
  readonly act: () => void | Promise<void>;
};

export class Scripts {
  readonly calls: Call[] = [];
  /** What each client was answered. */
  readonly seen = new Map<string, number>();
  readonly #ground: Ground;
  readonly #environments: Environments;
  #starts: Start[] = [];
  #deeds: Deed[] = [];
  #open = 0;

  constructor(ground: Ground, environments: Environments) {
    this.#ground = ground;
    this.#environments = environments;
  }

  get areOpen(): boolean {
    return this.#open > 0;
  }

  get waiting(): readonly { readonly id: string }[] {
    return [...this.#starts, ...this.#deeds];
  }

  begin(): void {
    for (const [name, { as, does }] of Object.entries(this.#ground.scenario.clients)) {
      this.#open += 1;
      does(this.client(name, as)).then(
        () => {
          this.#open -= 1;
        },
        (error: unknown) => {
          this.#ground.fail(error);
          this.#open -= 1;
        },
      );
    }
  }

  client(name: string, person: Person): Client {
    let number = 0;
    const nextId = () => {
      number += 1;
      return `${name}/${number}`;
    };
    const call = (operation: string, request: Request = {}) => {
      const id = nextId();
      return new Promise<Answer>((resolve) =>
        this.#starts.push({ id, client: name, person, operation, request, resolve }),
      );
    };
    return {
      call,
      insist: insisting(call),
      put: (table, ...rows) => this.#put(nextId(), name, this.#transactionOf(table, rows)),
      mails: (atLeast) => this.#readMails(nextId(), name, atLeast),
    };
  }

  choices(): Choice[] {
    const starts = this.#starts.map((start) => this.#startChoice(start));
    const deeds = this.#deeds.filter(({ isPossible }) => isPossible());
    return [...starts, ...deeds.map((deed) => this.#deedChoice(deed))];
  }

  #transactionOf(table: string, rows: readonly Row[]): Record<string, unknown> {
    const { marshall } = this.#ground.platform.modules.native('@aws-sdk/util-dynamodb') as {
      marshall(row: Row, options: object): Record<string, unknown>;
    };
    const TransactItems = rows.map((row) => ({
      Put: { TableName: table, Item: marshall(row, { removeUndefinedValues: true }) },
    }));
    return { TransactItems };
  }

  #put(id: string, client: string, input: Record<string, unknown>): Promise<void> {
    return new Promise((resolve) => {
      const act = async () => {
        await this.#ground.rows.execute('TransactWriteItems', input);
        resolve();
      };
      const accesses = accessesOf('TransactWriteItems', input, this.#ground.keys);
      this.#deeds.push({ id, client, does: 'puts', accesses, isPossible: () => true, act });
    });
  }

  #readMails(id: string, client: string, atLeast: number): ReturnType<Client['mails']> {
    const { outside } = this.#ground;
    return new Promise((resolve) => {
      const act = () => {
        const mails = [...outside.mails];
        if (this.#ground.isExhaustive) this.#see(client, mails);
        resolve(mails);
      };
      const accesses = [{ place: 'sesv2', writes: false }];
      const isPossible = () => outside.mails.length >= atLeast;
      this.#deeds.push({ id, client, does: 'reads mails of', accesses, isPossible, act });
    });
  }

  #startChoice(start: Start): Choice {
    const { id, client, person, operation } = start;
    const fn = this.#ground.platform.functions.route(person.application, operation);
    const go = (how: 'warm' | 'cold', isHeard: boolean) => () => this.#go(start, how, isHeard);
    return {
      id,
      actor: client,
      kind: 'start',
      accesses: [],
      label: operation,
      describe: () => `${client} calls ${operation}`,
      outcomes: () => [
        { name: 'done', fault: null, act: go('warm', true) },
        ...(!this.#ground.isExhaustive && this.#environments.idle(fn)
          ? [{ name: 'cold', fault: null, act: go('cold', true) } as const]
          : []),
        ...this.#ground.fault('unheard', go('warm', false)),
      ],
    };
  }

  /** @param isHeard whether the answer reaches the client */
  #go(start: Start, how: 'warm' | 'cold', isHeard: boolean): void {
    const { id, client, person, operation, request } = start;
    const ground = this.#ground;
    const fn = ground.platform.functions.route(person.application, operation);
    this.#starts = this.#starts.filter((each) => each !== start);
    const begun = ground.steps;
    ground.now += 1;
    const event = eventOf(fn, person, request, id, ground.now);
    const finish = (ended: Ended) => {
      const answer = isHeard ? answerOf(ended) : nothing;
      this.calls.push({ client, operation, request, answer, begun, ended: ground.steps });
      if (ground.isExhaustive) this.#see(client, answer);
      ground.tell(() => `  ${client} ${isHeard ? `gets ${answer.status} ${codeOf(answer)}` : 'gets no answer'}`);
      start.resolve(answer);
    };
    this.#environments.invoke(client, id, fn, event, how, finish).begun = begun;
  }

  #see(client: string, answer: unknown): void {
    const before = this.seen.get(client) ?? 0;
    this.seen.set(client, (before * 31 + textHash(JSON.stringify(answer))) >>> 0);
  }

  #deedChoice(deed: Deed): Choice {
    const { id, client, does, accesses } = deed;
    const act = async () => {
      this.#deeds = this.#deeds.filter((each) => each !== deed);
      await deed.act();
    };
    return {
      id,
      actor: client,
      kind: 'call',
      accesses,
      label: `${client} ${does} ${tablesOf(accesses)}`,
      describe: () => `${client} ${does} ${accesses.map(described).join(', ')}`,
      outcomes: () => [{ name: 'done', fault: null, act }],
    };
  }
}
