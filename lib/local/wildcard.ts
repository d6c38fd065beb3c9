/** `*` is any text, slashes too, `?` one character. The time is never exponential, for any pattern. */
export function wildcardMatch(pattern: string, value: string): boolean {
  let [at, index, star, resume] = [0, 0, -1, 0];
  while (index < value.length) {
    if (pattern[at] === '*') {
      star = at++;
      resume = index;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === value[index])) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
