import assert from 'node:assert/strict';
import { isOpen } from '../../../lib/explore/insisting.ts';
import { isLinearizable, observed } from '../../../lib/explore/linearizable.ts';
import type { Answer, Call, Client, End, Row, Scenario } from '../../../lib/explore/scenario.ts';

/** What administrators replace as a whole, by its ETag: two of them at once, each with a value that says whose it is. */

export type Administered = {
  readonly put: string;
  readonly read: string;
  readonly remove?: string;
  readonly params: Readonly<Record<string, string>>;
  /** The whole content with this value. */
  readonly bodyOf: (value: string) => unknown;
  /** The value of an answer, or of a row. */
  readonly valueOf: (content: Row) => string;
  /** Undefined where nothing is stored. */
  readonly rowOf: (end: End) => Row | undefined;
  readonly subject: string;
};

type Condition = { readonly 'If-Match': string } | { readonly 'If-None-Match': '*' };

const put = (client: Client, what: Administered, value: string, headers: Condition) =>
  client.insist(what.put, { params: what.params, headers, body: what.bodyOf(value) });

/** As an administrator's tool does: after 412 it shows what is there, and replaces that. */
export async function replaces(
  client: Client,
  what: Administered,
  value: string,
  first: Condition = { 'If-None-Match': '*' },
): Promise<Answer> {
  const answer = await put(client, what, value, first);
  if (answer.status !== 412) return answer;
  const seen = await client.insist(what.read, { params: what.params });
  const condition: Condition = seen.etag === null ? { 'If-None-Match': '*' } : { 'If-Match': seen.etag };
  return [200, 404].includes(seen.status) ? put(client, what, value, condition) : seen;
}

/** Of what is deleted the count of changes stays. */
type Register = { readonly revision: number; readonly value: string | null };

function explains(end: End, what: Administered): boolean {
  const etag = (revision: number) => `"${revision}"`;
  const isMet = ({ request: { headers = {} } }: Call, { revision, value }: Register) =>
    headers['If-None-Match'] === '*' ? value === null : value !== null && headers['If-Match'] === etag(revision);
  const history = end.calls.flatMap((call) => {
    const { operation, request, answer } = call;
    const only = (isRight: boolean, next: Register) => (isOpen(call) || isRight ? next : undefined);
    if (operation === what.put) {
      const value = what.valueOf(request.body as Row);
      return observed<Register>(call, (state) => {
        if (!isMet(call, state)) return only(answer.status === 412, state);
        const after = { revision: state.revision + 1, value };
        const isRight = answer.status === 200 && answer.etag === etag(after.revision);
        return only(isRight && what.valueOf(answer.body) === value, after);
      });
    }
    if (operation === what.remove) {
      return observed<Register>(call, (state) => {
        if (state.value === null) return only(answer.status === 404, state);
        if (!isMet(call, state)) return only(answer.status === 412, state);
        return only(answer.status === 200, { revision: state.revision + 1, value: null });
      });
    }
    if (operation !== what.read) return [];
    return observed<Register>(call, (state) => {
      if (state.value === null) return only(answer.status === 404, state);
      const isRight = answer.status === 200 && answer.etag === etag(state.revision);
      return only(isRight && what.valueOf(answer.body) === state.value, state);
    });
  });
  const row = what.rowOf(end);
  return isLinearizable<Register>({ revision: 0, value: null }, history, ({ revision, value }) => {
    if (!row) return revision === 0;
    return revision === row.revision && value === (row.definition === null ? null : what.valueOf(row));
  });
}

export function administeredInvariants(what: Administered): Scenario['invariants'] {
  return {
    'the history is linearizable: of two who saw the same one wins, and no change is lost': (end) =>
      assert.equal(explains(end, what), true),
    'each change has one audit event, and nothing else has': (end) => {
      const events = end.rows('AuditEvents').filter(({ subject }) => subject === what.subject);
      const row = what.rowOf(end);
      assert.equal(events.length, row?.revision ?? 0);
      assert.equal(new Set(events.map(({ requestId }) => requestId)).size, events.length);
      if (row) assert.ok(events.some(({ requestId }) => requestId === row.changeId));
    },
    'nobody is refused but by 412, or where it is deleted': ({ calls }) => {
      const operations = [what.put, what.read, what.remove];
      for (const call of calls) {
        if (isOpen(call) || !operations.includes(call.operation)) continue;
        assert.ok([200, 404, 412].includes(call.answer.status), `${call.operation} is ${call.answer.status}`);
      }
    },
  };
}
