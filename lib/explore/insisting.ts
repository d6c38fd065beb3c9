import type { Client } from './scenario.ts';

/** Repeats a call until a function answers: `Client.insist`. */
export function insisting(call: Client['call']): Client['insist'] {
  return async (operation, request) => {
    let answer = await call(operation, request);
    for (let again = 0; again < 4 && [0, 502, 503, 504].includes(answer.status); again += 1)
      answer = await call(operation, request);
    return answer;
  };
}
