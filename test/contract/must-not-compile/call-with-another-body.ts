import { client } from '../../../lib/contract/client.ts';
import { rename } from './example.ts';

const api = client({ baseUrl: 'http://localhost:3000/de/v1', routes: { rename } });
// @ts-expect-error TS2322: Type 'number' is not assignable to type 'string'
export const answer = api.rename({ params: { thingId: 'one' }, body: { name: 1 } });
