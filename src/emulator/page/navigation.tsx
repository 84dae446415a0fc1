import type { Overview } from './overview.js';

/** Links to the sections, with the number of entries in each list. */
export function Navigation({ overview }: { overview: Overview }) {
  const sections: [id: string, title: string, count?: number][] = [
    ['challenges', 'Challenges', overview.challenges.count],
    ['users', 'Users', overview.users.count],
    ['mailbox', 'Mailbox', overview.mails.count],
    ['social', 'Social logins', overview.devices.count],
    ['travelRule', 'Travel rule', overview.travelRule.count],
    ['ramp', 'Ramp', overview.rampSessions.count],
    ['wallets', 'Wallets', overview.wallets.count],
    ['transactions', 'Transactions', overview.transactions.count],
    ['faults', 'Faults', overview.faults.length],
    ['settings', 'Settings'],
  ];
  return (
    <nav class="container sections" aria-label="Sections">
      <ul>
        {sections.map(([id, title, count]) => (
          <li key={id}>
            <a href={`#${id}`}>
              {title} {count !== undefined && <span class="count">{count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
