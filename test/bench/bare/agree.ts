import { change, readAgreement } from './change.ts';
import { type Event, userOf } from './client.ts';

export async function handler(event: Event) {
  await readAgreement();
  return { statusCode: 200, body: JSON.stringify({ agreedAt: await change(userOf(event), 'agreed') }) };
}
