/** @returns a function that throws an Error where a function has no bundle: CDK takes an empty path as the working directory */
export function folderIn(folders: ReadonlyMap<string, string>): (name: string) => string {
  return (name) => {
    const folder = folders.get(name);
    if (!folder) throw new Error(`${name} was not bundled`);
    return folder;
  };
}
