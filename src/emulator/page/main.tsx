import { render } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { UNREACHABLE, call } from './control.js';
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
import { World, type Result, type WorldContext } from './world.js';

interface Message {
  text: string;
  bad: boolean;
}

function App() {
  const [message, setMessage] = useState<Message>();
  const [result, setResult] = useState<Result>();
  const complain = useCallback((error: Error) => setMessage({ text: error.message, bad: true }), []);
  const good = useCallback(() => setMessage((shown) => (shown?.text === UNREACHABLE ? undefined : shown)), []);
  const { worlds, id, overview, place, choose, refresh } = useWorlds({ good, bad: complain });

  const context = useMemo<WorldContext>(
    () => ({
      async act<Answer>(done: string, method: string, path: string, body?: object) {
        const answer = await call<Answer>(id, method, path, body);
        setMessage({ text: done, bad: false });
        await refresh();
        return answer;
      },
      complain,
      show: setResult,
    }),
    [id, refresh, complain],
  );

  const isThere = overview !== undefined;
  useEffect(() => {
    if (isThere && place !== '') document.getElementById(place)?.scrollIntoView();
  }, [isThere, place]);

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
          <p class={`message container ${message?.bad ? 'bad' : ''}`} role="status" aria-live="polite">
            {message?.text}
          </p>
        </div>
      </header>
      <main class="container">
        {worlds?.length === 0 && <p class="empty">No world yet. It comes with the first request of an API key.</p>}
        {overview && <Sections overview={overview} place={place} />}
      </main>
      {result && <ResultDialog result={result} close={() => setResult(undefined)} />}
    </World.Provider>
  );
}

/** People come first: they are what the rest waits for. */
function Sections({ overview, place }: { overview: Overview; place: string }) {
  return (
    <>
      <Challenges challenges={overview.challenges} ended={overview.endedChallenges} />
      <Users users={overview.users} />
      <Mailbox mails={overview.mails} />
      <SocialLogins devices={overview.devices} />
      <TravelRule messages={overview.travelRule} vasps={overview.vasps} />
      <RampSessions sessions={overview.rampSessions} place={place} />
      <Wallets wallets={overview.wallets} />
      <Transactions transactions={overview.transactions} />
      <Faults faults={overview.faults} />
      <Settings settings={overview.settings} />
    </>
  );
}

const app = document.getElementById('app')!;
// Loading is over.
app.replaceChildren();
render(<App />, app);
