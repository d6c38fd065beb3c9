/**
 * The size of the items in one answer, as JSON. Lambda takes six megabytes:
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const mostBytes = 3_000_000;

/** The first items that fit into one page: at most `limit`, and at least one, whatever its size. */
export function firstThatFit<T>(items: readonly T[], limit: number): T[] {
  let bytes = 0;
  const tooMany = items.slice(0, limit).findIndex((item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return index > 0 && bytes > mostBytes;
  });
  return items.slice(0, tooMany < 0 ? limit : tooMany);
}
