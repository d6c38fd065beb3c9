/**
 * Swagger UI over this stage's document, one application at a time. The chosen user signs in without a password, by
 * `/_local/token`.
 */

// Swagger UI's dark style needs this class.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const byId = (id) => document.getElementById(id);
const read = async (path) => (await fetch(path)).json();
const [whole, users] = await Promise.all([read('/_local/openapi.json'), read('/_local/users')]);

const operations = Object.values(whole.paths).flatMap((methods) => Object.values(methods));
const applications = [...new Set(operations.flatMap((operation) => operation['x-applications'] ?? []))];
const serves = (operation, application) => operation['x-applications']?.includes(application) ?? true;

/** The part of the document for one application: its operations, their groups, its one server. */
function partOf(application) {
  const paths = Object.entries(whole.paths).flatMap(([path, methods]) => {
    const own = Object.entries(methods).flatMap(([method, { servers, ...operation }]) =>
      serves(operation, application) ? [[method, operation]] : [],
    );
    return own.length > 0 ? [[path, Object.fromEntries(own)]] : [];
  });
  const tags = new Set(paths.flatMap(([, methods]) => Object.values(methods).flatMap((operation) => operation.tags)));
  return {
    ...whole,
    info: { ...whole.info, title: `${whole.info.title}: ${application}` },
    servers: whole.servers.filter(({ description }) => description?.startsWith(`${application},`)),
    tags: whole.tags?.filter(({ name }) => tags.has(name)),
    paths: Object.fromEntries(paths),
  };
}

/** The application of the operation that a link leads to, if only one application has it. */
function firstApplication() {
  const [, , operationId] = location.hash.split('/');
  const linked = operations.find((operation) => operation.operationId === operationId);
  return applications.find((name) => !linked || serves(linked, name)) ?? applications[0];
}

byId('application').replaceChildren(...applications.map((name) => new Option(name)));
byId('application').value = firstApplication();

let ui = build(byId('application').value);

function build(application) {
  return window.SwaggerUIBundle({
    spec: partOf(application),
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    // Otherwise it would call a validator on the internet.
    validatorUrl: null,
    // Swagger UI renders only the visible part of a long list. It looks for a link's operation before it knows what
    // scrolls.
    onComplete: () => requestAnimationFrame(() => ui.getSystem().layoutActions.parseDeepLinkHash(location.hash)),
  });
}

/** Builds a new Swagger UI: if only the document changed, it would render the part that was visible in the old one. */
function show(application) {
  byId('application').value = application;
  const place = document.createElement('div');
  place.id = 'reference';
  byId('reference').replaceWith(place);
  ui = build(application);
}

for (const [index, { name, application, roles }] of users.entries()) {
  byId('user').append(new Option(`${name} (${application}: ${roles.join(', ')})`, index));
}
byId('application').addEventListener('change', () => {
  show(byId('application').value);
  // A token is valid only in its own application.
  if (users[byId('user').value]?.application === byId('application').value) return;
  byId('user').value = '';
  chooseUser();
});
byId('user').addEventListener('change', chooseUser);
byId('client').addEventListener('change', change);

function chooseUser() {
  const user = users[byId('user').value];
  byId('client').replaceChildren(...(user?.clients ?? []).map((name) => new Option(name)));
  for (const part of document.querySelectorAll('#client, [for=client]')) part.hidden = (user?.clients ?? []).length < 2;
  if (user && user.application !== byId('application').value) show(user.application);
  change();
}

function change() {
  signIn(users[byId('user').value], byId('client').value).catch((error) => {
    byId('signed-in').textContent = String(error);
  });
}

/** @param client an app client's name; some routes are only for tools, and recognise them by it */
async function signIn(user, client) {
  const { authActions, authSelectors, oas3Actions } = ui.getSystem();
  if (authSelectors.authorized()?.size) authActions.logout(['accessToken']);
  byId('signed-in').textContent = '';
  if (!user) return;
  const { name, application } = user;
  const answer = await fetch(`/_local/token?${new URLSearchParams({ user: name, application, client })}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  ui.preauthorizeApiKey('accessToken', text);
  const [own] = partOf(application).servers;
  if (own) oas3Actions.setSelectedServer(own.url);
  byId('signed-in').textContent = own ? `signed in, at ${new URL(own.url).pathname}` : 'signed in';
}
