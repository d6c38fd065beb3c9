/**
 * An SNS topic, as the domain that owns it declares it in its `topics.ts`. What happens on it is known from elsewhere, too:
 * a message that is lost delays that.
 */
export type Topic<N extends string = string> = {
  readonly name: N;
  readonly summary: string;
  /** SNS sends it its own events of the phones' endpoints: the platform applications name it. */
  readonly endpointEvents?: true;
};

/** @param name that of the constant, too: the topic's logical id follows from it */
export function topic<const N extends string>(name: N, declaration: Omit<Topic, 'name'>): Topic<N> {
  return { name, ...declaration };
}
