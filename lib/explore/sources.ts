import type { Choice } from './choices.ts';
import { deliverChoice, fireChoice, redeliveryChoice, type Scene, type SourceState } from './deliveries.ts';
import type { Source } from './functions.ts';
import type { Scenario } from './scenario.ts';

/** The streams, queues and schedules that take part in a scenario. */
export class Sources {
  readonly states: readonly SourceState[];
  readonly #scene: Scene;

  constructor(scene: Scene, scenario: Scenario, declared: readonly Source[]) {
    this.#scene = scene;
    const taking = new Set([
      ...(scenario.consumers ?? []),
      ...Object.keys(scenario.schedules ?? {}),
      ...(scenario.finally ?? []),
    ]);
    this.states = [...taking].flatMap((id) => {
      const found = declared.filter(({ fn }) => fn.id === id);
      if (found.length === 0) throw new Error(`${scenario.name}: there is no consumer ${id}`);
      return found.map((source) => ({
        source,
        actor: found.length > 1 ? source.fn.name : source.fn.id,
        cursor: source.stream ? scene.rows.changes.length : 0,
        last: [],
        running: 0,
        attempts: 0,
        delivered: 0,
        fires: scenario.schedules?.[id] ?? 0,
      }));
    });
  }

  of(id: string): readonly SourceState[] {
    return this.states.filter(({ source }) => source.fn.id === id);
  }

  /** What can be delivered now. */
  choices(): Choice[] {
    return this.#each((state) => deliverChoice(this.#scene, state, this.#scene.now()));
  }

  /** Runs of schedules, and repetitions. */
  optional(): Choice[] {
    return this.#each((state) => fireChoice(this.#scene, state) ?? redeliveryChoice(this.#scene, state));
  }

  /** When the next message is visible; infinite if there is none. */
  visibleAt(): number {
    const { queues } = this.#scene.outside;
    const messages = this.states.flatMap(({ source }) => (source.queue ? (queues[source.queue.name] ?? []) : []));
    return Math.min(...messages.map((each) => each.visibleAt));
  }

  /** The first delivery that is possible at a later time. */
  late(at: number): Choice | null {
    return this.#each((state) => deliverChoice(this.#scene, state, at))[0] ?? null;
  }

  #each(choiceOf: (state: SourceState) => Choice | null): Choice[] {
    return this.states.map(choiceOf).filter((choice) => choice !== null);
  }
}
