import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/**
 * Watches the given folders and all folders below them. On Linux Node's own recursive watch follows files. It loses a
 * file when an editor saves by renaming another file over it; a folder's events name both files.
 *
 * @param onChange Gets the path below `root`, with forward slashes, of a file or folder that was written, made or removed.
 */
export function watchTree(root: string, folders: readonly string[], onChange: (path: string) => void) {
  const watchers = new Map<string, FSWatcher>();

  const add = (folder: string): void => {
    if (watchers.has(folder)) return;
    const entries = entriesOf(join(root, folder));
    if (!entries) return;
    const watcher = watch(join(root, folder), (_, name) => {
      if (name === null) return;
      const path = `${folder}/${name}`;
      onChange(path);
      for (const file of addNew(path)) onChange(file);
    });
    watcher.on('error', () => remove(folder));
    watchers.set(folder, watcher);
    for (const entry of entries) if (entry.isDirectory()) add(`${folder}/${entry.name}`);
  };
  /** @returns the files of a new folder that were written before its watch began */
  const addNew = (path: string): string[] => {
    const entries = entriesOf(join(root, path));
    if (!entries) {
      remove(path);
      return [];
    }
    if (watchers.has(path)) return [];
    add(path);
    return entries.flatMap((entry) => {
      const inside = `${path}/${entry.name}`;
      return entry.isDirectory() ? addNew(inside) : [inside];
    });
  };
  const remove = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };

  for (const folder of folders) add(folder);
  return {
    close: () => {
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // A file, or already deleted.
    return undefined;
  }
}
