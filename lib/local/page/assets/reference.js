/** Swagger UI over this stage's document; whoever is chosen signs in without a password, by `/_local/token`. */

// Swagger UI has a dark look, which waits for this class.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const ui = window.SwaggerUIBundle({
  url: '/_local/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // Else it would ask a validator on the internet.
  validatorUrl: null,
});

const byId = (id) => document.getElementById(id);
const users = await (await fetch('/_local/users')).json();
for (const [index, { name, application, roles }] of users.entries()) {
  byId('user').append(new Option(`${name} (${application}: ${roles.join(', ')})`, index));
}
byId('user').addEventListener('change', () => {
  const clients = users[byId('user').value]?.clients ?? [];
  byId('client').replaceChildren(...clients.map((name) => new Option(name)));
  for (const part of document.querySelectorAll('#client, [for=client]')) part.hidden = clients.length < 2;
  change();
});
byId('client').addEventListener('change', change);

function change() {
  signIn(users[byId('user').value], byId('client').value).catch((error) => {
    byId('signed-in').textContent = String(error);
  });
}

/** @param client an app client's name; some routes are for tools alone, and know them by it */
async function signIn(user, client) {
  const { authActions, authSelectors, oas3Actions, specSelectors } = ui.getSystem();
  if (authSelectors.authorized()?.size) authActions.logout(['accessToken']);
  byId('signed-in').textContent = '';
  if (!user) return;
  const { name, application } = user;
  const answer = await fetch(`/_local/token?${new URLSearchParams({ user: name, application, client })}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  ui.preauthorizeApiKey('accessToken', text);
  // A token is good in its own application alone.
  const servers = specSelectors.specJson().toJS().servers ?? [];
  const own = servers.find(({ description }) => description?.startsWith(`${application},`));
  if (own) oas3Actions.setSelectedServer(own.url);
  byId('signed-in').textContent = own ? `signed in, at ${new URL(own.url).pathname}` : 'signed in';
}
