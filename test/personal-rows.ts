/**
 * How a domain's rows about a person come to be, where they are more than rows under the person's id: a domain exports
 * `personalRows` of `test/<domain>/personal-rows.ts`. The test of all personal tables finds it by that name.
 */

type Answer = { readonly status: number };
type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

export type PersonalRows = (person: {
  readonly userId: string;
  /** In no row that an erasure leaves. */
  readonly canary: string;
  readonly call: Call;
  readonly admin: Call;
  /** A row as it is, into the table of this declared name. */
  readonly put: (table: string, row: Record<string, unknown>) => Promise<unknown>;
}) => Promise<void>;

/** @throws an Error where the request was refused: there would be no row */
export async function accepted(answer: Promise<Answer>): Promise<void> {
  const { status } = await answer;
  if (status >= 300) throw new Error(`the request was answered with ${status}`);
}
