import { render } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { call, UNREACHABLE } from './control.js';
import { Navigation } from './navigation.js';
import type { Overview } from './overview.js';
import { ResultDialog } from './result.js';
import { Challenges } from './sections/challenges.js';
import { Clock } from './sections/clock.js';
import { Faults } from './sections/faults.js';
import { Mailbox } from './sections/mailbox.js';
import { RampSessions } from './sections/ramp.js';
import { Settings } from './sections/settings.js';
import { SocialLogins } from './sections/socialLogins.js';
import { Transactions } from './sections/transactions.js';
import { TravelRule } from './sections/travelRule.js';
import { Users } from './sections/users.js';
import { Wallets } from './sections/wallets.js';
import { useWorlds } from './useWorlds.js';
import { type CopyableResult, World, type WorldContext } from './world.js';

interface Message {
  text: string;
  isError: boolean;
}

function App() {
  const [message, setMessage] = useState<Message>();
  const [result, setResult] = useState<CopyableResult>();
  const showError = useCallback((error: Error) => setMessage({ text: error.message, isError: true }), []);
  const clearUnreachable = useCallback(
    () => setMessage((shown) => (shown?.text === UNREACHABLE ? undefined : shown)),
    [],
  );
  const { worlds, id, overview, anchor, choose, refresh } = useWorlds({
    onSuccess: clearUnreachable,
    onError: showError,
  });

  const context = useMemo<WorldContext>(
    () => ({
      async runControl<ResponseBody>(doneMessage: string, method: string, path: string, body?: object) {
        const response = await call<ResponseBody>(id, method, path, body);
        setMessage({ text: doneMessage, isError: false });
        await refresh();
        return response;
      },
      showError,
      show: setResult,
    }),
    [id, refresh, showError],
  );

  const isLoaded = overview !== undefined;
  useEffect(() => {
    if (isLoaded && anchor !== '') document.getElementById(anchor)?.scrollIntoView();
  }, [isLoaded, anchor]);

  return (
    <World.Provider value={context}>
      <header class="top">
        <div class="container whole">
          <h1>Emulator</h1>
          {worlds && worlds.length > 0 && (
            <select aria-label="World" value={id} onChange={(event) => choose(event.currentTarget.value)}>
              {worlds.map(({ id: key, name, kind }) => (
                <option key={key} value={key}>
                  {name} ({kind})
                </option>
              ))}
            </select>
          )}
          {overview && <Clock clock={overview.clock} />}
        </div>
        <div class="bar">
          {overview && <Navigation overview={overview} />}
          <p class={`message container ${message?.isError ? 'bad' : ''}`} role="status" aria-live="polite">
            {message?.text}
          </p>
        </div>
      </header>
      <main class="container">
        {worlds?.length === 0 && <p class="empty">No world yet. The first request with an API key creates one.</p>}
        {overview && <Sections overview={overview} anchor={anchor} />}
      </main>
      {result && <ResultDialog result={result} close={() => setResult(undefined)} />}
    </World.Provider>
  );
}

/** Users come first, because most other sections wait for them. */
function Sections({ overview, anchor }: { overview: Overview; anchor: string }) {
  return (
    <>
      <Challenges challenges={overview.challenges} ended={overview.endedChallenges} />
      <Users users={overview.users} />
      <Mailbox mails={overview.mails} />
      <SocialLogins devices={overview.devices} />
      <TravelRule messages={overview.travelRule} vasps={overview.vasps} />
      <RampSessions sessions={overview.rampSessions} anchor={anchor} />
      <Wallets wallets={overview.wallets} />
      <Transactions transactions={overview.transactions} />
      <Faults faults={overview.faults} />
      <Settings settings={overview.settings} />
    </>
  );
}

const app = document.getElementById('app')!;
// Removes the loading text.
app.replaceChildren();
render(<App />, app);
