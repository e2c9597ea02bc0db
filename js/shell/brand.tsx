/** The product's sign and name. */

export function Brand() {
  return (
    <span className="app-brand">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path className="app-brand-ground" d="M5 1h14a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H5a4 4 0 0 1-4-4V5a4 4 0 0 1 4-4z" />
        <path className="app-brand-lane" d="M7.5 6v8.5a3 3 0 0 0 3 3h6M12.5 6v3.5a3 3 0 0 0 3 3h1" />
      </svg>
      <span className="app-brand-name">Leadlane</span>
    </span>
  );
}
