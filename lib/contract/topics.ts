/**
 * An SNS topic, as the domain that owns it declares it in its `topics.ts`. Its messages are also known from elsewhere, so a
 * lost message only causes a delay.
 */
export type Topic<N extends string = string> = {
  readonly name: N;
  readonly summary: string;
  /** SNS sends its own events about the phones' endpoints to it: the platform applications name it. */
  readonly endpointEvents?: true;
};

/** @param name also the name of the constant; the topic's logical id is derived from it */
export function topic<const N extends string>(name: N, declaration: Omit<Topic, 'name'>): Topic<N> {
  return { name, ...declaration };
}
