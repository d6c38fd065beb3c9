/**
 * The paths of an API: those that routes have, and those on the way to them. API Gateway has a resource for each, of which
 * it allows 300, and answers what has no method there by itself.
 *
 * @returns `/` first, then `/{proxy+}` for all that is unknown
 * @throws an Error where a sibling has another parameter: API Gateway allows one for each parent
 */
export function allPaths(routed: readonly string[]): string[] {
  const found = new Set(['/', '/{proxy+}']);
  const ofParent = new Map<string, string>();
  for (const path of routed) {
    const segments = path.split('/').slice(1);
    for (let depth = 1; depth <= segments.length; depth++) {
      const here = `/${segments.slice(0, depth).join('/')}`;
      const parent = `/${segments.slice(0, depth - 1).join('/')}`;
      if (/\{\w+\}$/.test(here)) {
        const rival = ofParent.get(parent) ?? here;
        if (rival !== here)
          throw new Error(`${here} and ${rival}: one parameter only below ${parent}; name both alike`);
        ofParent.set(parent, here);
      }
      found.add(here);
    }
  }
  return [...found];
}
