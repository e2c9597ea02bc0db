use crate::api::App;
pub struct DemoOptions {
    pub channels: u32,
    pub seed: u64,
    pub password: Option<String>,
}
pub async fn fill(_: &App, _: DemoOptions) -> anyhow::Result<String> {
    Ok(String::new())
}
pub async fn ensure_admin(_: &App, _: &str, _: Option<String>) -> anyhow::Result<String> {
    Ok(String::new())
}
