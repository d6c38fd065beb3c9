/** Finds files that import each other, directly or through other files. */

/**
 * @param imports for each file, the files that it imports
 * @returns each circle once, beginning with the first file by name: `a → b → a`
 */
export function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  return componentsOf(imports)
    .filter((files) => files.length > 1 || imports.get(files[0] ?? '')?.includes(files[0] ?? ''))
    .map((files) => shortestCircle(files.toSorted(), imports))
    .toSorted();
}

/** The strongly connected components: R. Tarjan, Depth-first search and linear graph algorithms, 1972. */
function componentsOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const path: string[] = [];
  const open = new Set<string>();
  const found: string[][] = [];

  function visit(file: string): number {
    const place = order.size;
    order.set(file, place);
    path.push(file);
    open.add(file);
    let low = place;
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.has(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === place) {
      const component = path.splice(path.indexOf(file));
      for (const each of component) open.delete(each);
      found.push(component);
    }
    return low;
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return found;
}

/** Through the first of the files; each file reaches every other. */
function shortestCircle([first = '', ...others]: readonly string[], imports: ReadonlyMap<string, readonly string[]>) {
  const inside = new Set([first, ...others]);
  const cameFrom = new Map<string, string>();
  const reached = [first];
  // An array's iteration also visits what is added on the way.
  for (const file of reached) {
    for (const next of imports.get(file) ?? []) {
      if (next === first) return [...wayTo(file, cameFrom), first].join(' → ');
      if (!inside.has(next) || cameFrom.has(next)) continue;
      cameFrom.set(next, file);
      reached.push(next);
    }
  }
  return [first, ...others].join(', ');
}

function wayTo(file: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const before = cameFrom.get(file);
  return before === undefined ? [file] : [...wayTo(before, cameFrom), file];
}
