// Preloaded by the scripts (`node -r ./bin/require-node.cjs …`), and written for any Node: an old one could not even
// parse the TypeScript that follows, and its stack trace would not say what is missing.
const wanted = 24;
if (Number(process.versions.node.split('.')[0]) < wanted) {
  console.error(
    `Node ${wanted} or newer is needed, this is ${process.version} (${process.execPath}). ` +
      'Run it by npm (npm start, npm test), which takes the Node that npm ci installed.',
  );
  process.exit(1);
}
// What was compiled at one start is read at the next.
require('node:module').enableCompileCache(require('node:path').join(__dirname, '..', '.cache', 'compiled'));
