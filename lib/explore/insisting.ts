import type { Call, Client } from './scenario.ts';

/** Whether no function answered: the call may have taken effect, or may do so later. */
export const isOpen = ({ answer }: Pick<Call, 'answer'>): boolean => [0, 502, 503, 504].includes(answer.status);

export const isAnswered = (call: Pick<Call, 'answer'>): boolean => !isOpen(call);

/** Repeats a call until a function answers: `Client.insist`. */
export function insisting(call: Client['call']): Client['insist'] {
  return async (operation, request) => {
    let answer = await call(operation, request);
    for (let again = 0; again < 4 && isOpen({ answer }); again += 1) answer = await call(operation, request);
    return answer;
  };
}
