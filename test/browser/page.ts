import type { Browser, Page } from 'playwright-core';
import { closeOwnEmulator } from '../support/emulator';
import { Chain } from '../emulator/chain/support';
import { launch } from './browser';

/** What does not come is told by name, long before the test's own end. */
const PATIENCE_MS = 15_000;

/** The page as a person uses it, in a real browser, at a world of the test's own. Nothing on it may go wrong by itself. */
export class Visit {
  #browser: Browser | undefined;
  #chain: Chain | undefined;
  #page: Page | undefined;
  readonly outside: string[] = [];
  readonly problems: string[] = [];

  /** Hooks of a test file. */
  static begin(): Visit {
    const visit = new Visit();
    beforeAll(async () => {
      visit.#browser = await launch();
    });
    afterAll(async () => {
      await visit.#browser?.close();
      await closeOwnEmulator();
    });
    beforeEach(() => visit.arrive());
    afterEach(() => visit.leave());
    return visit;
  }

  get chain(): Chain {
    return this.#chain!;
  }

  get page(): Page {
    return this.#page!;
  }

  async arrive(): Promise<void> {
    this.#chain = await Chain.open();
    this.#page = await this.#browser!.newPage();
    this.page.setDefaultTimeout(PATIENCE_MS);
    this.page.on('request', (request) => {
      if (!request.url().startsWith(this.chain.world.url)) this.outside.push(request.url());
    });
    this.page.on('pageerror', (error) => this.problems.push(error.message));
    this.page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(message.text());
    });
  }

  async leave(): Promise<void> {
    await this.page.close();
    const [complaint] = [...this.outside.splice(0).map((url) => `asked ${url}`), ...this.problems.splice(0)];
    if (complaint !== undefined) throw new Error(`The page ${complaint}`);
  }

  /** The browser itself reports each request that was refused. */
  refusalsExpected(): void {
    this.problems.length = 0;
  }

  /** Opens the page at the test's own world. */
  async open(): Promise<void> {
    await this.page.goto(`${this.chain.world.url}/emulator?world=${await this.worldId()}`);
    await this.page.getByRole('heading', { name: /^Wallets/ }).waitFor();
  }

  async worldId(): Promise<string> {
    const { url, apiKey } = this.chain.world;
    const { worlds } = (await (await fetch(`${url}/emulator/worlds`)).json()) as {
      worlds: { id: string; name: string }[];
    };
    return worlds.find(({ name }) => apiKey.startsWith(`${name}:`))!.id;
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name });
  }

  get dialog() {
    return this.page.getByRole('dialog');
  }

  /** Fills in the dialog that is open, by label, and sends it. */
  async fill(values: Record<string, string>, submit: string): Promise<void> {
    for (const [label, value] of Object.entries(values)) {
      const field = this.dialog.getByLabel(label, { exact: true });
      if ((await field.evaluate((element) => element.nodeName)) === 'SELECT')
        await field.selectOption({ label: value });
      else await field.fill(value);
    }
    await this.dialog.getByRole('button', { name: submit }).click();
  }

  /** Waits until the page has said so. */
  async told(text: string | RegExp): Promise<void> {
    await this.page.getByRole('status').getByText(text).waitFor();
  }

  section(id: string) {
    return this.page.locator(`section#${id}`);
  }
}
