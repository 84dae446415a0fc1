import type { Browser, Page } from 'playwright-core';
import { TestClient } from '../emulator/chain/support';
import { closeOwnEmulator } from '../support/emulator';
import { launch } from './browser';

/** Shorter than the limit of a test, so a missing element is reported by name. */
const TIMEOUT_MS = 15_000;

/**
 * The emulator's page in a real browser, with a separate world for each test. A test fails if the page reports an error or
 * sends a request to another origin.
 */
export class PageSession {
  #browser: Browser | undefined;
  #client: TestClient | undefined;
  #page: Page | undefined;
  /** URLs of requests to other origins. */
  readonly foreignRequests: string[] = [];
  readonly problems: string[] = [];

  /** Creates a session and registers the hooks of the test file. */
  static begin(): PageSession {
    const session = new PageSession();
    beforeAll(async () => {
      session.#browser = await launch();
    });
    afterAll(async () => {
      await session.#browser?.close();
      await closeOwnEmulator();
    });
    beforeEach(() => session.openPage());
    afterEach(() => session.closePage());
    return session;
  }

  get client(): TestClient {
    return this.#client!;
  }

  get page(): Page {
    return this.#page!;
  }

  async openPage(): Promise<void> {
    this.#client = await TestClient.open();
    this.#page = await this.#browser!.newPage();
    this.page.setDefaultTimeout(TIMEOUT_MS);
    this.page.on('request', (request) => {
      if (!request.url().startsWith(this.client.world.url)) this.foreignRequests.push(request.url());
    });
    this.page.on('pageerror', (error) => this.problems.push(error.message));
    this.page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(message.text());
    });
  }

  async closePage(): Promise<void> {
    await this.page.close();
    const [problem] = [...this.foreignRequests.splice(0).map((url) => `requested ${url}`), ...this.problems.splice(0)];
    if (problem !== undefined) throw new Error(`Problem on the page: ${problem}`);
  }

  /** Call it in tests that expect rejected requests: the browser reports each of them as an error. */
  ignoreRequestErrors(): void {
    this.problems.length = 0;
  }

  /** Opens the page for the test's world. */
  async open(): Promise<void> {
    await this.page.goto(`${this.client.world.url}/emulator?world=${await this.worldId()}`);
    await this.page.getByRole('heading', { name: /^Wallets/ }).waitFor();
  }

  async worldId(): Promise<string> {
    const { url, apiKey } = this.client.world;
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

  /** Fills in the open dialog by label and submits it. */
  async fill(values: Record<string, string>, submit: string): Promise<void> {
    for (const [label, value] of Object.entries(values)) {
      const field = this.dialog.getByLabel(label, { exact: true });
      if ((await field.evaluate((element) => element.nodeName)) === 'SELECT')
        await field.selectOption({ label: value });
      else await field.fill(value);
    }
    await this.dialog.getByRole('button', { name: submit }).click();
  }

  /** Waits for a message in the page's status line. */
  async expectMessage(text: string | RegExp): Promise<void> {
    await this.page.getByRole('status').getByText(text).waitFor();
  }

  section(id: string) {
    return this.page.locator(`section#${id}`);
  }
}
