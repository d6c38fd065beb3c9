/**
 * Sends a call that a service shall leave without an answer, and gives it up when that service has answered later ones.
 *
 * @param come resolves when the call has come to the service
 * @param another a call that is answered
 * @returns what became of the call: an answer that it got after all, or the client's `AbortError`
 */
export async function givenUp<T>(
  send: (abortSignal: AbortSignal) => Promise<T>,
  come: Promise<unknown>,
  another: () => Promise<unknown>,
): Promise<T> {
  const giveUp = new AbortController();
  const sent = send(giveUp.signal);
  await come;
  for (let i = 0; i < 3; i += 1) await another();
  giveUp.abort();
  return sent;
}
