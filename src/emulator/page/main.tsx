import { render } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { UNREACHABLE, call, type ControlError } from './control.js';
import type { Overview, WorldView } from './overview.js';
import { Clock } from './sections/clock.js';
import { Faults } from './sections/faults.js';
import { Transactions } from './sections/transactions.js';
import { Wallets } from './sections/wallets.js';
import { World, type WorldContext } from './world.js';

/** How often the page looks at the world while somebody looks at the page. */
const REFRESH_MS = 1_000;

interface Message {
  text: string;
  bad: boolean;
}

function App() {
  const [worlds, setWorlds] = useState<readonly WorldView[]>();
  const [chosen, setChosen] = useState(location.hash.slice(1));
  const [overview, setOverview] = useState<Overview>();
  const [message, setMessage] = useState<Message>();
  const world = worlds?.find(({ id }) => id === chosen) ?? worlds?.[0];
  const id = world?.id;

  const refresh = useCallback(async () => {
    try {
      setWorlds((await call<{ worlds: WorldView[] }>(undefined, 'GET', '/worlds')).worlds);
      if (id !== undefined) setOverview(await call<Overview>(id, 'GET', '/overview'));
      setMessage((shown) => (shown?.text === UNREACHABLE ? undefined : shown));
    } catch (error) {
      setMessage({ text: (error as ControlError).message, bad: true });
    }
  }, [id]);

  useEffect(() => {
    void refresh();
    const timer = setInterval(() => {
      if (!document.hidden) void refresh();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [refresh]);

  const context = useMemo<WorldContext>(
    () => ({
      async act<Answer>(done: string, method: string, path: string, body?: object) {
        try {
          const answer = await call<Answer>(id, method, path, body);
          setMessage({ text: done, bad: false });
          await refresh();
          return answer ?? ({} as Answer);
        } catch (error) {
          setMessage({ text: (error as ControlError).message, bad: true });
          return undefined;
        }
      },
    }),
    [id, refresh],
  );

  const choose = (next: string) => {
    location.hash = next;
    setOverview(undefined);
    setChosen(next);
  };

  return (
    <World.Provider value={context}>
      <header class="top">
        <div class="container">
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
      </header>
      <p class={`message container ${message?.bad ? 'bad' : ''}`} role="status" aria-live="polite">
        {message?.text}
      </p>
      <main class="container">
        {worlds?.length === 0 && <p class="empty">No world yet. It comes with the first request of an API key.</p>}
        {overview && <Sections overview={overview} />}
      </main>
    </World.Provider>
  );
}

function Sections({ overview }: { overview: Overview }) {
  const { wallets, walletCount, transactions, transactionCount, faults } = overview;
  return (
    <>
      <Wallets wallets={wallets} count={walletCount} />
      <Transactions transactions={transactions} count={transactionCount} />
      <Faults faults={faults} />
    </>
  );
}

render(<App />, document.getElementById('app')!);
