import { below, type Random } from '../../lib/explore/random.ts';
import type { Client, Person, Request, Scenario } from '../../lib/explore/scenario.ts';

/** Workloads that a seed draws: several clients, each with some of the same operations, so that two writers meet at every state. */

/** `request`: a function where only the set-up makes the ids that it names. */
export type Operation = { readonly operation: string; readonly request: Request | (() => Request) };

/** By client: who it is, and what it may do. */
type Workload = Readonly<Record<string, { readonly as: Person; readonly operations: readonly Operation[] }>>;

const [fewest, most] = [3, 8];

/** What a scenario with drawn workloads has in place of its clients. */
export function drawnClients(workload: Workload): Pick<Scenario, 'clients' | 'drawn'> {
  const clients = (take: (operations: readonly Operation[]) => readonly Operation[]) =>
    Object.fromEntries(
      Object.entries(workload).map(([name, { as, operations }]) => [
        name,
        { as, does: oneAfterTheOther(take(operations)) },
      ]),
    );
  // The measure of a schedule is what all of them need, one after the other: it also says which files they stand on.
  return {
    clients: clients((operations) => operations),
    drawn: (random: Random) => clients((operations) => drawnFrom(operations, random)),
  };
}

function drawnFrom(operations: readonly Operation[], random: Random): Operation[] {
  const length = fewest + below(random, most - fewest + 1);
  return Array.from({ length }, () => operations[below(random, operations.length)] as Operation);
}

function oneAfterTheOther(operations: readonly Operation[]) {
  return async ({ insist }: Client) => {
    for (const { operation, request } of operations)
      await insist(operation, typeof request === 'function' ? request() : request);
  };
}
