/** The product's sign and name. */

export function Brand() {
  return (
    <span className="app-brand">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <rect className="app-brand-ground" x="1" y="1" width="22" height="22" rx="4" />
        <path className="app-brand-lane" d="M7.5 6v8.5a3 3 0 0 0 3 3h6M12.5 6v3.5a3 3 0 0 0 3 3h1" />
      </svg>
      <span className="app-brand-name">Leadlane</span>
    </span>
  );
}
